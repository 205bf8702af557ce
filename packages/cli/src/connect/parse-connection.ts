import type { ProtocolVersion } from "@parley/a2a";
import { UsageError } from "../usage-error.js";

const versions: readonly ProtocolVersion[] = ["1.0", "0.3", "0.2", "0.1"];

/** The version of `--a2a-version`. A patch number, as in 0.2.5, does not matter. */
export function parseVersion(text: string, hint: string): ProtocolVersion {
  const asked = text.split(".").slice(0, 2).join(".");
  const found = versions.find((one) => one === asked);
  if (found !== undefined && /^[\d.]+$/.test(text)) return found;
  throw new UsageError(`--a2a-version must be one of ${versions.join(", ")}, not ${text}`, {
    hint,
  });
}

/** The bindings by what people call them. */
const bindings: Readonly<Record<string, string>> = {
  jsonrpc: "JSONRPC",
  "json-rpc": "JSONRPC",
  "http+json": "HTTP+JSON",
  "http-json": "HTTP+JSON",
  rest: "HTTP+JSON",
  grpc: "GRPC",
};

/** The binding of `--transport`. */
export function parseBinding(text: string, hint: string): string {
  const name = text.toLowerCase();
  const found = Object.hasOwn(bindings, name) ? bindings[name] : undefined;
  if (found !== undefined) return found;
  throw new UsageError(`--transport must be JSONRPC, HTTP+JSON or GRPC, not ${text}`, { hint });
}

/** The service parameters of `--svc-param`, each `NAME:VALUE`. Errors never show a value, which may be secret. */
export function parseParameters(
  pairs: readonly string[],
  hint: string,
): Readonly<Record<string, string>> {
  const entries = pairs.map((pair) => {
    const [, name, value] = /^([!#$%&'*+\-.^_`|~\w]+):\s*([^\r\n]*)$/.exec(pair) ?? [];
    if (name !== undefined && value !== undefined) return [name, value] as const;
    throw new UsageError("--svc-param must be NAME:VALUE, such as X-Trace:42", { hint });
  });
  return Object.fromEntries(entries);
}
