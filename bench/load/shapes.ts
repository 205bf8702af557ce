import type { Connection } from "./connection.js";
import { Letter } from "./request.js";

/**
 * How requests come: `busy`, each connection sends as soon as it has its answer; `bursts`, all connections send
 * together, and again once all have their answers; `spread`, so many a second, at moments that chance draws.
 */
export type Shape = "busy" | "bursts" | "spread";

export interface LoadPlan {
  readonly shape: Shape;
  readonly forMs: number;
  /** How many requests a second the shape `spread` sends. */
  readonly perSecond?: number;
  /** Ends the load after about so many requests. */
  readonly limit?: number;
}

/** How long each answer took, in milliseconds, and how long all did. */
export interface Sent {
  readonly latencies: readonly number[];
  readonly seconds: number;
}

/** Sends requests, then waits for the last answers. */
export async function send(
  connections: readonly Connection[],
  requestOf: (connection: number) => string,
  { shape, forMs, perSecond = 1000, limit = Number.MAX_SAFE_INTEGER }: LoadPlan,
): Promise<Sent> {
  const latencies: number[] = [];
  const letters = connections.map((_, index) => new Letter(requestOf(index)));
  let sent = 0;
  const exchange = (index: number): Promise<void> =>
    new Promise((resolve) => {
      sent += 1;
      const sentAt = performance.now();
      connections[index]?.send(letters[index]!.next(), () => {
        latencies.push(performance.now() - sentAt);
        resolve();
      });
    });
  const start = performance.now();
  const isOver = (): boolean => sent >= limit || performance.now() - start >= forMs;
  const all = [...connections.keys()];
  if (shape === "busy") {
    await Promise.all(
      all.map(async (index) => {
        do await exchange(index);
        while (!isOver());
      }),
    );
  } else if (shape === "bursts") {
    do await Promise.all(all.map(exchange));
    while (!isOver());
  } else {
    await spread(all, exchange, perSecond, isOver);
  }
  return { latencies, seconds: (performance.now() - start) / 1000 };
}

/** Looks at the clock all the time: a timer would send what is due within a millisecond together. */
async function spread(
  free: number[],
  exchange: (index: number) => Promise<void>,
  perSecond: number,
  isOver: () => boolean,
): Promise<void> {
  const all = free.length;
  const gap = (): number => (-Math.log(1 - Math.random()) * 1000) / perSecond;
  let due = performance.now() + gap();
  while (!isOver()) {
    if (performance.now() >= due) {
      const index = free.pop();
      // A server that is behind gets less than it should: that shows in its rate.
      if (index !== undefined) void exchange(index).then(() => free.push(index));
      due += gap();
    }
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
  while (free.length < all) await new Promise<void>((resolve) => setTimeout(resolve, 1));
}
