import { callOnce, callStream, createService } from "../../protocol/internal.js";
import type { AgentService, CallContext, StreamEvent } from "../../protocol/internal.js";
import { batchesOf, fromBatches } from "../../async/internal.js";
import type { Batches, Clock } from "../../async/internal.js";
import { isRead } from "./retry.js";
import { awaitAnswer } from "./watched-stream.js";

export interface CallLimits {
  /** Streams to the host beyond these slots wait. */
  readonly slots: StreamSlots;
  readonly host: string;
  readonly clock: Clock;
  /**
   * How long the answer to a read, and the rest of an answer that has begun, may be silent. An agent may take any time
   * before it begins to answer a send, since it works on it.
   */
  readonly stallMs: number;
}

/** A service in front of a service: limits the streams that are open to a host, and the wait for an answer. */
export function limitCalls(service: AgentService, limits: CallLimits): AgentService {
  return createService(
    (operation, request, call) => {
      const answer = (one: CallContext) => callOnce(service, operation, request, one);
      return awaitAnswer(answer, { ...limits, call, mayTakeTime: !isRead(operation) });
    },
    (operation, request, call) =>
      fromBatches(limited(() => callStream(service, operation, request, call), call, limits)),
  );
}

async function* limited(
  open: () => AsyncIterable<StreamEvent>,
  { signal }: CallContext,
  { slots, host }: CallLimits,
): Batches<StreamEvent> {
  const giveBack = await slots.take(host, signal);
  try {
    yield* batchesOf(open());
  } finally {
    giveBack();
  }
}

/**
 * Limits the streams that are open to each host; further ones wait in line. Browsers open six HTTP/1.1
 * connections to a host: a page whose streams take all of them could not even cancel a task.
 */
export class StreamSlots {
  readonly #max: number;
  readonly #hosts = new Map<string, Host>();

  constructor(max: number) {
    this.#max = max;
  }

  /**
   * Takes a slot; the returned function gives it back. Rejects with the signal's reason when the signal is
   * aborted while it waits.
   */
  async take(name: string, signal?: AbortSignal): Promise<() => void> {
    signal?.throwIfAborted();
    const host = this.#hosts.get(name) ?? { open: 0, waiting: new Set() };
    this.#hosts.set(name, host);
    if (host.open < this.#max) host.open += 1;
    else await this.#wait(host, signal);
    let isHeld = true;
    return () => {
      if (isHeld) this.#giveBack(name, host);
      isHeld = false;
    };
  }

  #wait(host: Host, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal?.removeEventListener("abort", leave);
        resolve();
      };
      const leave = (): void => {
        host.waiting.delete(go);
        reject(signal?.reason as Error);
      };
      host.waiting.add(go);
      signal?.addEventListener("abort", leave, { once: true });
    });
  }

  /** Passes the slot on to the next in line, if there is one. */
  #giveBack(name: string, host: Host): void {
    const [next] = host.waiting;
    if (next !== undefined) {
      host.waiting.delete(next);
      next();
      return;
    }
    host.open -= 1;
    if (host.open === 0) this.#hosts.delete(name);
  }
}

interface Host {
  open: number;
  readonly waiting: Set<() => void>;
}
