import type { A2AError, Operation } from "../../protocol/internal.js";
import type { Dialect } from "../dialect.js";

/** What a request asks for, and in whose spelling it is read and answered. */
export interface Detected {
  readonly operation: Operation;
  readonly dialect: Dialect;
  /**
   * The dialect is only what is assumed of a task of unknown origin. A caller that can look the origin
   * up detects again with it.
   */
  readonly byOrigin: boolean;
}

/** A request that is refused before any codec reads it, and in whose spelling to say so. */
export interface Refused {
  readonly error: A2AError;
  readonly dialect: Dialect;
}
