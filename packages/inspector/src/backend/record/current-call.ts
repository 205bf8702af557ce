import { AsyncLocalStorage } from "node:async_hooks";
import type { Operation, RequestOf } from "@parley/a2a";

/** The call that requests are made for. */
export interface CurrentCall {
  /** That of the request at hand: after a cut a call goes on with another one. */
  operation?: Operation;
  /** Sent in place of the request that the client makes of its own. */
  readonly exact?: RequestOf<"sendStreamingMessage">;
  readonly resentFrom?: number;
  /** The ids of its hops. */
  readonly hops: number[];
  /** Is told of each event as the agent has sent it, repeated ones included. */
  readonly onEvent?: (sequence: number | undefined) => void;
}

const current = new AsyncLocalStorage<CurrentCall>();

/** The call at hand, if there is one. */
export function currentCall(): CurrentCall | undefined {
  return current.getStore();
}

/** Runs a call; calls at the same time do not mix. */
export function runCall<T>(call: CurrentCall, run: () => T): T {
  return current.run(call, run);
}

/** Reads a stream; all that it does happens for the call. */
export async function* iterateCall<T>(
  call: CurrentCall,
  open: () => AsyncIterable<T>,
): AsyncGenerator<T, void, void> {
  const iterator = current.run(call, () => open()[Symbol.asyncIterator]());
  try {
    for (;;) {
      const { done, value } = await current.run(call, () => iterator.next());
      if (done === true) return;
      yield value;
    }
  } finally {
    await current.run(call, () => iterator.return?.());
  }
}
