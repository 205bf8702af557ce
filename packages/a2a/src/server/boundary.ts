import type { Departure } from "../async/internal.js";
import { A2AError } from "../protocol/internal.js";
import type { CallContext, StreamEvent } from "../protocol/internal.js";
import type { RunEnvironment } from "./run-environment.js";
import { openStream } from "./watch/stream.js";
import type { StreamSource } from "./watch/stream.js";

type Unary<Request, Result> = (request: Request, call: CallContext) => Promise<Result>;
type Streaming<Request> = (
  request: Request,
  call: CallContext,
  leaving: Departure,
) => Promise<StreamSource>;

/**
 * Where operations meet their callers. What a store or an agent's code throws is reported, and the
 * caller is told a reference to it and nothing else.
 */
export interface Boundary {
  readonly unary: <Request, Result>(operation: Unary<Request, Result>) => Unary<Request, Result>;
  readonly streaming: <Request>(
    operation: Streaming<Request>,
  ) => (request: Request, call: CallContext) => AsyncIterableIterator<StreamEvent>;
}

export function createBoundary({
  report,
  newId,
}: Pick<RunEnvironment, "report" | "newId">): Boundary {
  const forCallers = (error: unknown): A2AError => {
    if (A2AError.is(error) && error.code !== "INTERNAL") return error;
    const reference = newId();
    report(error, "", reference);
    return new A2AError("INTERNAL", `Internal error (${reference})`, { cause: error });
  };
  return {
    unary: (operation) => (request, call) =>
      operation(request, call).catch((error: unknown) => {
        throw forCallers(error);
      }),
    streaming: (operation) => (request, call) =>
      openStream(call, (leaving) => operation(request, call, leaving), forCallers),
  };
}
