import type { JsonObject, Operation } from "../protocol/internal.js";
import type { Codec, Cursor, GrpcVersion } from "../wire/internal.js";
import type { Decoded, ServiceType } from "./wire-format.js";

/**
 * One version over gRPC. Its messages are read into their JSON form, which is what the version's codec
 * reads: the rules and the paths of fields are those of the other bindings.
 */
export interface Binding {
  readonly version: GrpcVersion;
  readonly service: ServiceType;
  readonly codec: Codec;
  /** The operations by the names of their methods. */
  readonly operations: Readonly<Record<string, Operation>>;
  /** A request message as the codec expects it. */
  readonly readRequest: (operation: Operation, message: Decoded, cursor: Cursor) => unknown;
  /** The reverse. */
  readonly writeRequest: (operation: Operation, request: JsonObject) => JsonObject;
}
