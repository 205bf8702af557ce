import type { CallContext, StreamEvent } from "../protocol/index.js";

/**
 * A stream that can be left at any moment. A generator alone cannot: as long as it waits for the next
 * event, it does not hear that its reader has gone. Here leaving ends the wait.
 */
export function openStream(
  call: CallContext,
  produce: (call: CallContext) => AsyncGenerator<StreamEvent, void, void>,
): AsyncIterableIterator<StreamEvent> {
  const leaving = new AbortController();
  const signals = [leaving.signal, ...(call.signal === undefined ? [] : [call.signal])];
  const events = produce({ ...call, signal: AbortSignal.any(signals) });
  return {
    async next() {
      try {
        return await events.next();
      } catch (error) {
        // Who left does not hear what comes of it.
        if (leaving.signal.aborted) return { done: true, value: undefined };
        throw error;
      }
    },
    async return() {
      leaving.abort();
      return events.return();
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
