import { callOnce, callStream, createService } from "../protocol/internal.js";
import type { AgentService, EventIterator, StreamEvent } from "../protocol/internal.js";
import { Gate } from "./gate.js";
import type { GateOptions } from "./gate.js";

/** The rules, limits and audit log of a guard. */
export type GuardOptions = GateOptions;

/**
 * A service in front of a service: lets through what callers may do, counts it, and writes down what was
 * decided. Stands in front of anything that answers A2A, a runtime or a client of somebody else's agent.
 *
 * @example
 * const guarded = guard(runtime, { authorize: requireScopes(), audit });
 */
export function guard(service: AgentService, options: GuardOptions): AgentService {
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
      openStream(async () => {
        const passing = await gate.admit(operation, request, call);
        const close = gate.openStream(passing);
        const events = callStream(service, operation, request, call);
        const source = events[Symbol.asyncIterator]();
        return { source, close, denied: (error) => gate.denied(passing, error) };
      }),
  );
}

interface OpenedStream {
  readonly source: EventIterator;
  readonly close: () => void;
  readonly denied: (error: unknown) => Error;
}

/**
 * A stream that is admitted with its first read. Passes reads on one by one, and leaving at once: a
 * generator would let who leaves wait for the next event.
 */
function openStream(
  open: () => Promise<OpenedStream>,
): EventIterator & AsyncIterableIterator<StreamEvent> {
  let opening: Promise<OpenedStream> | undefined;
  let opened: OpenedStream | undefined;
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
