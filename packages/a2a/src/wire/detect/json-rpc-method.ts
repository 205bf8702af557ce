import type { Operation } from "../../protocol/internal.js";
import { versionOf } from "../dialect.js";
import type { Dialect } from "../dialect.js";
import { methods as oldest } from "../v0.1/methods.js";
import { methods as slash } from "../v0.3/methods.js";
import { methods as current } from "../v1.0/methods.js";

const byVersion = { "0.1": oldest, "0.2": slash, "0.3": slash, "1.0": current };

/** The name under which a client calls an operation; `undefined` where its version has none. */
export function jsonRpcMethod(dialect: Dialect, operation: Operation): string | undefined {
  return byVersion[versionOf(dialect)][operation];
}
