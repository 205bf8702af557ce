import { LazyStream } from "../async/internal.js";
import type { LightSignal, StreamSource } from "../async/internal.js";
import { A2AError, anonymousCall } from "../protocol/internal.js";
import type { CallContext, StreamEvent } from "../protocol/internal.js";
import { markReported } from "../protocol/telemetry/internal.js";
import type { RunEnvironment } from "./run-environment.js";
import { Returns } from "./watch/returns.js";

type Unary<Request, Result> = (request: Request, call: CallContext) => Result | Promise<Result>;
type Streaming<Request> = (
  request: Request,
  call: CallContext,
  /** Aborted when the caller stops reading. */
  signal: LightSignal,
) => Promise<StreamSource<StreamEvent>>;

/**
 * Gives a call without a context the anonymous one, and keeps internal errors from callers. An `A2AError` passes, unless it is `INTERNAL`; anything else that a store
 * or an agent's code throws is reported, and the caller gets `INTERNAL` with a reference to the report.
 */
export interface Boundary {
  readonly unary: <Request, Result>(
    operation: Unary<Request, Result>,
  ) => (request: Request, call?: CallContext) => Promise<Result>;
  readonly streaming: <Request>(
    operation: Streaming<Request>,
  ) => (request: Request, call?: CallContext) => AsyncIterableIterator<StreamEvent>;
}

export function createBoundary({
  report,
  newId,
  clock,
}: Pick<RunEnvironment, "report" | "newId" | "clock">): Boundary {
  const returns = new Returns(clock);
  const toError = (error: unknown, call: CallContext): A2AError => {
    if (A2AError.is(error) && error.code !== "INTERNAL") return error;
    const reference = newId();
    report(error, "", reference, call);
    return markReported(
      new A2AError("INTERNAL", `Internal error (${reference})`, { cause: error }),
    );
  };
  return {
    unary:
      (operation) =>
      async (request, call = anonymousCall) => {
        try {
          const result = operation(request, call);
          return result instanceof Promise ? await result : result;
        } catch (error) {
          throw toError(error, call);
        }
      },
    streaming:
      (operation) =>
      (request, call = anonymousCall) =>
        new LazyStream({
          signal: call.signal,
          open: (signal) => operation(request, call, signal),
          toError: (error) => returns.spread(toError(error, call)),
        }),
  };
}
