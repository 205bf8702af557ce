import type { ProtocolVersion } from "../protocol/internal.js";

/**
 * The spellings of A2A in JSON.
 *
 * - `0.1`: `tasks/send`, parts keyed by `type`, `sessionId`.
 * - `0.1+0.3`: an answer that is valid in 0.1 and in 0.3, for methods that both versions have.
 * - `0.3`: 0.2 and 0.3 JSON-RPC, JSON-schema shapes with `kind`.
 * - `0.3+type`: the same, with `type` beside `kind` in parts.
 * - `0.3-schema`: the 0.3 REST paths with JSON-schema shapes.
 * - `0.3-proto`: the 0.3 REST paths with ProtoJSON shapes, and gRPC 0.3.
 * - `1.0`: ProtoJSON, the same over JSON-RPC and REST.
 */
export type Dialect = "0.1" | "0.1+0.3" | "0.3" | "0.3+type" | "0.3-schema" | "0.3-proto" | "1.0";

/** The versions that have a gRPC service. */
export type GrpcVersion = "0.3" | "1.0";

/** The protocol version a dialect belongs to: its name begins with it. */
export function versionOf(dialect: Dialect): ProtocolVersion {
  return dialect.slice(0, 3) as ProtocolVersion;
}
