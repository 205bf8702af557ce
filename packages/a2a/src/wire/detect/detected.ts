import type { A2AError, Operation } from "../../protocol/internal.js";
import type { Dialect } from "../dialect.js";

/** The operation of a request, and the dialect in which it is decoded and answered. */
export interface Detected {
  readonly operation: Operation;
  readonly dialect: Dialect;
  /**
   * The dialect is only what is assumed of a task of unknown origin. A caller that can look the origin
   * up detects again with it.
   */
  readonly byOrigin: boolean;
}

/** The error of a request that is refused before a codec decodes it, and the dialect of the answer. */
export interface Refused {
  readonly error: A2AError;
  readonly dialect: Dialect;
}
