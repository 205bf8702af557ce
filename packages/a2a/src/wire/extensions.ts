import { A2AError } from "../protocol/internal.js";
import type { AgentExtension, ProtocolVersion } from "../protocol/internal.js";

export type ExtensionHeader = "A2A-Extensions" | "X-A2A-Extensions";

/** The header that lists extensions: in a request those asked for, in an answer those activated. */
export function extensionHeader(version: ProtocolVersion): ExtensionHeader {
  return version === "1.0" ? "A2A-Extensions" : "X-A2A-Extensions";
}

/** The headers that a client sends. Peers before 1.0 read one or the other, so they get both. */
export function requestExtensionHeaders(version: ProtocolVersion): readonly ExtensionHeader[] {
  return version === "1.0" ? ["A2A-Extensions"] : ["X-A2A-Extensions", "A2A-Extensions"];
}

const none: readonly string[] = [];

/** The URIs in an extensions header, in order and each once. */
export function parseExtensions(value: string | null | undefined): readonly string[] {
  if (!value) return none;
  const uris = value.split(",").map((uri) => uri.trim());
  return [...new Set(uris.filter((uri) => uri !== ""))];
}

/** The value of an extensions header. */
export function formatExtensions(uris: readonly string[]): string {
  return [...new Set(uris)].join(", ");
}

/** The extensions a request asks for: in the version's own header, or in the other if that one is empty. */
export function requestedExtensions(
  version: ProtocolVersion,
  header: (name: ExtensionHeader) => string | null | undefined,
): readonly string[] {
  const own = parseExtensions(header(extensionHeader(version)));
  const other = version === "1.0" ? "0.3" : "1.0";
  return own.length > 0 ? own : parseExtensions(header(extensionHeader(other)));
}

/**
 * The active extensions of a call: those that the caller asks for and the agent declares, by exact URI
 * (§4.6). Throws `EXTENSION_SUPPORT_REQUIRED` when the caller did not ask for one that the agent requires.
 */
export function activateExtensions(
  requested: readonly string[],
  declared: readonly AgentExtension[],
  version: ProtocolVersion = "1.0",
): readonly string[] {
  if (declared.length === 0) return [];
  const missing = declared.filter(({ uri, required }) => required && !requested.includes(uri));
  if (missing.length > 0) throw createRequiredError(missing, extensionHeader(version));
  return requested.filter((uri) => declared.some((extension) => extension.uri === uri));
}

function createRequiredError(missing: readonly AgentExtension[], header: string): A2AError {
  const uris = formatExtensions(missing.map(({ uri }) => uri));
  return new A2AError(
    "EXTENSION_SUPPORT_REQUIRED",
    `this agent requires ${uris}; name it in the header ${header}`,
    { details: { metadata: { requiredExtensions: uris, header } } },
  );
}
