import { callOnce, callStream, createService } from "../../protocol/internal.js";
import type {
  AgentService,
  CallContext,
  Operation,
  RequestOf,
  ResultOf,
  StreamEvent,
  StreamingOperation,
  UnaryOperation,
} from "../../protocol/internal.js";

/** A call on its way to the agent, discriminated by `operation`. */
export type Outgoing<O extends Operation = Operation> = {
  readonly [P in O]: {
    readonly operation: P;
    readonly request: RequestOf<P>;
    readonly call: CallContext;
  };
}[O];

/** The answer to a call, discriminated by `operation`. Each event of a stream is an answer. */
export type Answer = {
  readonly [P in Operation]: {
    readonly operation: P;
    readonly result: P extends UnaryOperation ? ResultOf<P> : StreamEvent;
  };
}[Operation];

/** Sees and may change calls and their answers. The first of several interceptors is the outermost. */
export interface Interceptor {
  /** The operations that are intercepted; all of them when absent. */
  readonly operations?: readonly Operation[];
  /** Runs before a call, and may return another call to make in its place. An error ends the call. */
  readonly before?: (outgoing: Outgoing) => Outgoing | void | Promise<Outgoing | void>;
  /** Runs after an answer, and after each event of a stream. */
  readonly after?: (answer: Answer, outgoing: Outgoing) => void | Promise<void>;
  /** Replaces a call with one answer; `next` makes the call. */
  readonly around?: (
    outgoing: Outgoing<UnaryOperation>,
    next: (outgoing: Outgoing<UnaryOperation>) => Promise<unknown>,
  ) => Promise<unknown>;
  /** Replaces a stream; `next` opens the stream. */
  readonly aroundStream?: (
    outgoing: Outgoing<StreamingOperation>,
    next: (outgoing: Outgoing<StreamingOperation>) => AsyncIterable<StreamEvent>,
  ) => AsyncIterable<StreamEvent>;
}

/** A service in front of a service: passes calls through interceptors. */
export function intercept(
  service: AgentService,
  interceptors: readonly Interceptor[],
): AgentService {
  return interceptors.reduceRight(wrap, service);
}

// TypeScript cannot see that an operation, its request and its result belong together when the
// operation is one of many; hence the casts.
function wrap(service: AgentService, interceptor: Interceptor): AgentService {
  const { operations, before, after, around, aroundStream } = interceptor;
  const start = async (given: object): Promise<Outgoing> =>
    (await before?.(given as Outgoing)) ?? (given as Outgoing);
  const isIntercepted = (operation: Operation): boolean => operations?.includes(operation) ?? true;
  return createService(
    async <O extends UnaryOperation>(operation: O, request: RequestOf<O>, call: CallContext) => {
      if (!isIntercepted(operation)) return callOnce(service, operation, request, call);
      const outgoing = (await start({ operation, request, call })) as Outgoing<UnaryOperation>;
      const next = (one: Outgoing<UnaryOperation>): Promise<unknown> =>
        callOnce(service, operation, one.request as RequestOf<O>, one.call);
      const result = await (around === undefined ? next(outgoing) : around(outgoing, next));
      await after?.({ operation, result } as Answer, outgoing);
      return result as ResultOf<O>;
    },
    async function* interceptedStream<O extends StreamingOperation>(
      operation: O,
      request: RequestOf<O>,
      call: CallContext,
    ): AsyncGenerator<StreamEvent, void, void> {
      if (!isIntercepted(operation)) {
        yield* callStream(service, operation, request, call);
        return;
      }
      const outgoing = (await start({ operation, request, call })) as Outgoing<StreamingOperation>;
      const next = (one: Outgoing<StreamingOperation>): AsyncIterable<StreamEvent> =>
        callStream(service, operation, one.request as RequestOf<O>, one.call);
      for await (const result of aroundStream?.(outgoing, next) ?? next(outgoing)) {
        await after?.({ operation, result }, outgoing);
        yield result;
      }
    },
  );
}
