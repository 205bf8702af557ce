import type { A2AError, Operation } from "../../protocol/internal.js";
import type { Dialect } from "../dialect.js";

/** What a request asks for, and in whose spelling it is read and answered. */
export interface Detected {
  readonly operation: Operation;
  readonly dialect: Dialect;
  /**
   * Whether the dialect is assumed, because the request does not show it. A caller that can look up the dialect
   * that the task was created in detects again with `createdIn`.
   */
  readonly needsCreatedIn: boolean;
}

/** A request that is refused before any codec reads it, and in whose spelling to say so. */
export interface Refused {
  readonly error: A2AError;
  readonly dialect: Dialect;
}
