import { isStreaming, operations } from "../protocol/index.js";
import type {
  AgentService,
  CallContext,
  Operation,
  RequestOf,
  ResultOf,
  StreamEvent,
  StreamingOperation,
  UnaryOperation,
} from "../protocol/index.js";

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
// operation is one of many; hence the casts, all of them in this function.
function wrap(service: AgentService, interceptor: Interceptor): AgentService {
  const wrapped: Partial<Record<Operation, unknown>> = {};
  for (const operation of operations) {
    const invoke = service[operation].bind(service) as (
      request: unknown,
      call: CallContext,
    ) => never;
    const isMeant = interceptor.operations?.includes(operation) ?? true;
    const start = (request: unknown, call: CallContext): Outgoing =>
      ({ operation, request, call }) as Outgoing;
    wrapped[operation] = !isMeant
      ? invoke
      : isStreaming(operation)
        ? (request: unknown, call: CallContext) =>
            passStream(interceptor, start(request, call), invoke)
        : (request: unknown, call: CallContext) =>
            passOnce(interceptor, start(request, call), invoke);
  }
  return wrapped as unknown as AgentService;
}

async function passOnce(
  { before, after, around }: Interceptor,
  given: Outgoing,
  invoke: (request: unknown, call: CallContext) => Promise<unknown>,
): Promise<unknown> {
  const outgoing = ((await before?.(given)) ?? given) as Outgoing<UnaryOperation>;
  const next = ({ request, call }: Outgoing): Promise<unknown> => invoke(request, call);
  const result = await (around === undefined ? next(outgoing) : around(outgoing, next));
  await after?.({ operation: outgoing.operation, result } as Answer, outgoing);
  return result;
}

async function* passStream(
  { before, after, aroundStream }: Interceptor,
  given: Outgoing,
  invoke: (request: unknown, call: CallContext) => AsyncIterable<StreamEvent>,
): AsyncGenerator<StreamEvent, void, void> {
  const outgoing = ((await before?.(given)) ?? given) as Outgoing<StreamingOperation>;
  const next = ({ request, call }: Outgoing): AsyncIterable<StreamEvent> => invoke(request, call);
  for await (const result of aroundStream?.(outgoing, next) ?? next(outgoing)) {
    await after?.({ operation: outgoing.operation, result } as Answer, outgoing);
    yield result;
  }
}
