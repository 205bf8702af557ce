import { callOnce, callStream, createService } from "../../protocol/internal.js";
import type {
  AgentService,
  CallableService,
  EventIterator,
  StreamEvent,
} from "../../protocol/internal.js";
import { Gate } from "./gate.js";
import type { GateOptions } from "./gate.js";

/** The rules, limits and audit log of a guard. */
export type GuardOptions = GateOptions;

/**
 * A service in front of a service: authorizes and limits calls and records the decisions. Works in front of any
 * `AgentService`, a runtime or a remote agent for example.
 *
 * @example
 * const guarded = guard(runtime, { authorize: requireScopes(), audit });
 */
export function guard(service: AgentService, options: GuardOptions): CallableService {
  const gate = new Gate(options);
  return createService(
    async (operation, request, call) => {
      const passing = await gate.admit(operation, request, call);
      try {
        return await callOnce(service, operation, request, call);
      } catch (error) {
        throw gate.denied(passing, error);
      }
    },
    (operation, request, call) =>
      admitLazily(async () => {
        const passing = await gate.admit(operation, request, call);
        const close = gate.openStream(passing);
        const events = callStream(service, operation, request, call);
        const source = events[Symbol.asyncIterator]();
        return { source, close, denied: (error) => gate.denied(passing, error) };
      }),
  );
}

interface AdmittedStream {
  readonly source: EventIterator;
  readonly close: () => void;
  readonly denied: (error: unknown) => Error;
}

/**
 * A stream that is admitted with its first read. Passes each read and a `return` on to the source at once; a
 * generator would make a reader that leaves wait for the next event. `LazyStream` cannot be used: it
 * ends a pending read through a signal, and an open iterator takes no signal.
 */
function admitLazily(
  open: () => Promise<AdmittedStream>,
): EventIterator & AsyncIterableIterator<StreamEvent> {
  let opening: Promise<AdmittedStream> | undefined;
  let opened: AdmittedStream | undefined;
  let isLeft = false;
  return {
    async next() {
      if (isLeft) return { done: true, value: undefined };
      opening ??= open();
      opened = await opening;
      const { source, close, denied } = opened;
      try {
        const result = await source.next();
        if (result.done === true) close();
        return result;
      } catch (error) {
        close();
        throw denied(error);
      }
    },
    take: () => (isLeft ? undefined : opened?.source.take?.()),
    onReady(reader) {
      opening ??= open();
      opening.then(
        (admitted) => {
          opened = admitted;
          // A source that cannot tell is read at once, and the reader waits in `next`.
          if (isLeft || opened.source.onReady === undefined) reader.wake();
          else opened.source.onReady(reader);
        },
        () => reader.wake(),
      );
    },
    get isOver() {
      return opened?.source.isOver === true;
    },
    async return() {
      isLeft = true;
      opened = await opening?.catch(() => undefined);
      await opened?.source.return?.();
      opened?.close();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
