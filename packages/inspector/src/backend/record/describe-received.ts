import type { ProtocolVersion } from "@parley/a2a";
import { detectJsonRpc, detectRest } from "@parley/a2a/wire";
import type { Dialect } from "@parley/a2a/wire";
import type { Hop } from "../../contract/index.js";
import type { HopSubject } from "./hop-record.js";

/** Larger bodies are not read a second time only to be described. */
const maxBody = 256 * 1024;

/** What a caller has sent to the server. */
export interface Received {
  readonly method: string;
  readonly target: string;
  /** The header `A2A-Version`. */
  readonly version: string | undefined;
  readonly body: string | undefined;
}

/** Which operation a request means, in which version; nothing where it means none. */
export function describeReceived(received: Received, mounts: readonly string[]): HopSubject {
  try {
    const { method, target, body } = received;
    const [path = "", search = ""] = target.split("?");
    const query = new URLSearchParams(search);
    const version = received.version ?? query.get("A2A-Version") ?? undefined;
    const rpc = body === undefined || body.length > maxBody ? undefined : parse(body);
    if (typeof rpc?.["jsonrpc"] === "string" && typeof rpc["method"] === "string") {
      const found = detectJsonRpc({
        method: rpc["method"],
        params: rpc["params"],
        version,
      } as Parameters<typeof detectJsonRpc>[0]);
      return "operation" in found ? describe(found, "JSONRPC") : {};
    }
    const found = detectRest({
      httpMethod: method,
      path: withoutMount(path, mounts),
      query,
      version,
    } as Parameters<typeof detectRest>[0]);
    return "operation" in found ? describe(found, "HTTP+JSON") : {};
  } catch {
    return {};
  }
}

/** The path below that of the agent, which is the longest that it begins with. */
function withoutMount(path: string, mounts: readonly string[]): string {
  const [mount = ""] = mounts
    .filter((one) => one !== "/" && path.startsWith(`${one}/`))
    .sort((one, other) => other.length - one.length);
  return path.slice(mount.length);
}

function describe(
  { operation, dialect }: { readonly operation: Hop["operation"]; readonly dialect: Dialect },
  binding: "JSONRPC" | "HTTP+JSON",
): HopSubject {
  return { ...(operation && { operation }), dialect, binding, version: versionOf(dialect) };
}

function versionOf(dialect: Dialect): ProtocolVersion {
  if (dialect === "1.0") return "1.0";
  return dialect.startsWith("0.1") ? "0.1" : "0.3";
}

function parse(body: string): Readonly<Record<string, unknown>> | undefined {
  const value: unknown = JSON.parse(body === "" ? "null" : body);
  return typeof value === "object" && value !== null
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}
