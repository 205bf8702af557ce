import { probeMessage } from "../probe/probe-message.js";
import type { Session } from "../probe/session.js";

/** How much load is put on an agent. */
export interface LoadOptions {
  readonly requests: number;
  readonly concurrency: number;
  readonly durationMs: number;
  readonly message: string;
  /** Measures streams: their first event, and their end. */
  readonly streams: boolean;
  readonly signal: AbortSignal;
}

/** One request that was made. */
export interface Sample {
  readonly ms: number;
  /** When the first event of a stream arrived. */
  readonly firstMs?: number;
  /** The code of the error; absent for an answer. */
  readonly error?: string;
}

export interface Load {
  readonly samples: readonly Sample[];
  readonly elapsedMs: number;
}

/** Sends messages, a number of them at a time, until all are sent or the time is over. */
export async function measureLoad(session: Session, options: LoadOptions): Promise<Load> {
  const { requests, concurrency, durationMs, signal } = options;
  const samples: Sample[] = [];
  const startedAt = performance.now();
  let begun = 0;
  const work = async (): Promise<void> => {
    while (begun < requests && performance.now() - startedAt < durationMs && !signal.aborted) {
      begun += 1;
      samples.push(await measureOne(session, options));
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, requests) }, work));
  return { samples, elapsedMs: performance.now() - startedAt };
}

async function measureOne(session: Session, { message, streams }: LoadOptions): Promise<Sample> {
  const request = probeMessage(message);
  if (!streams) {
    const { ms, error } = await session.call("sendMessage", request);
    return { ms, ...(error !== undefined && { error: error.code }) };
  }
  const { arrivals, endedAtMs, error } = await session.stream("sendStreamingMessage", request);
  const firstMs = arrivals[0]?.atMs;
  return {
    ms: endedAtMs,
    ...(firstMs !== undefined && { firstMs }),
    ...(error !== undefined && { error: error.code }),
  };
}
