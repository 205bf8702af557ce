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

/** A call on its way, told apart by `operation`. */
export type Outgoing<O extends Operation = Operation> = {
  readonly [P in O]: {
    readonly operation: P;
    readonly request: RequestOf<P>;
    readonly call: CallContext;
  };
}[O];

/** The answer to a call, told apart by `operation`. A stream answers with each of its events. */
export type Answer = {
  readonly [P in Operation]: {
    readonly operation: P;
    readonly result: P extends UnaryOperation ? ResultOf<P> : StreamEvent;
  };
}[Operation];

/** Sees, and may change, what is called and what is answered. Several nest, the first outermost. */
export interface Interceptor {
  /** Which operations; all of them when absent. */
  readonly operations?: readonly Operation[];
  /** Before a call: gives back what to send in its place. An error ends the call. */
  readonly before?: (outgoing: Outgoing) => Outgoing | void | Promise<Outgoing | void>;
  /** After an answer, or after each event of a stream. */
  readonly after?: (answer: Answer, outgoing: Outgoing) => void | Promise<void>;
  /** In place of a call that is answered once; `next` makes it. */
  readonly around?: (
    outgoing: Outgoing<UnaryOperation>,
    next: (outgoing: Outgoing<UnaryOperation>) => Promise<unknown>,
  ) => Promise<unknown>;
  /** In place of a stream; `next` opens it. */
  readonly aroundStream?: (
    outgoing: Outgoing<StreamingOperation>,
    next: (outgoing: Outgoing<StreamingOperation>) => AsyncIterable<StreamEvent>,
  ) => AsyncIterable<StreamEvent>;
}

/** A service whose calls pass through interceptors. */
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
  const isMeant = (operation: Operation): boolean => operations?.includes(operation) ?? true;
  return createService(
    async <O extends UnaryOperation>(operation: O, request: RequestOf<O>, call: CallContext) => {
      if (!isMeant(operation)) return callOnce(service, operation, request, call);
      const outgoing = (await start({ operation, request, call })) as Outgoing<UnaryOperation>;
      const next = (one: Outgoing<UnaryOperation>): Promise<unknown> =>
        callOnce(service, operation, one.request as RequestOf<O>, one.call);
      const result = await (around === undefined ? next(outgoing) : around(outgoing, next));
      await after?.({ operation, result } as Answer, outgoing);
      return result as ResultOf<O>;
    },
    async function* passing<O extends StreamingOperation>(
      operation: O,
      request: RequestOf<O>,
      call: CallContext,
    ): AsyncGenerator<StreamEvent, void, void> {
      if (!isMeant(operation)) {
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
