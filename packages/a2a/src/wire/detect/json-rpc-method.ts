import type { Operation } from "../../protocol/internal.js";
import { codecs } from "../codecs.js";
import type { Dialect } from "../dialect.js";

/** The name under which a client calls an operation; `undefined` where its version has none. */
export function jsonRpcMethod(dialect: Dialect, operation: Operation): string | undefined {
  return codecs[dialect].jsonRpcMethods[operation];
}
