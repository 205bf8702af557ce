import type { A2AError, Operation } from "../../protocol/internal.js";
import type { Dialect } from "../dialect.js";

/** The operation of a request, and the dialect in which it is decoded and answered. */
export interface Detected {
  readonly operation: Operation;
  readonly dialect: Dialect;
  /**
   * Whether the dialect is assumed, because the request does not show it. A caller that can look up the dialect
   * that the task was created in detects again with `createdIn`.
   */
  readonly needsCreatedIn: boolean;
  /** The parameters, where they are not those of the request as it was sent. */
  readonly params?: unknown;
}

/** The error of a request that is refused before a codec decodes it, and the dialect of the answer. */
export interface Refused {
  readonly error: A2AError;
  readonly dialect: Dialect;
}
