import type { JsonObject, Operation } from "../protocol/internal.js";
import type { Codec, Cursor, GrpcVersion } from "../wire/internal.js";
import type { Decoded, ServiceType } from "./wire-format.js";

/**
 * One version over gRPC. Messages are converted to their JSON form, which the version's codec reads, so the rules
 * and the paths of fields are the same as in the other bindings.
 */
export interface Binding {
  readonly version: GrpcVersion;
  readonly service: ServiceType;
  readonly codec: Codec;
  /** The operations, by the names of their methods. */
  readonly operations: Readonly<Record<string, Operation>>;
  /** The parameters that the codec expects, from a request message. */
  readonly readRequest: (operation: Operation, message: Decoded, cursor: Cursor) => unknown;
  /** The request message, from the parameters that the codec writes. */
  readonly writeRequest: (operation: Operation, request: JsonObject) => JsonObject;
}
