import type { A2AError, CallContext, StreamEvent } from "../../protocol/internal.js";
import type { HttpHeaders, StreamedResponse } from "../http-message.js";
import { errorFrame, SseFrames } from "./sse-frames.js";
import type { SseEncoding } from "./sse-frames.js";
import { wakingEvents } from "./waking-events.js";
import type { WakingEvents } from "./waking-events.js";

export interface SseOptions {
  readonly encoding: SseEncoding;
  readonly headers: HttpHeaders;
  /** 15 s when absent. */
  readonly heartbeatMs: number | undefined;
  /** How long the answer waits for the first event before it begins. */
  readonly patienceMs: number;
}

/** Many proxies close a connection that is silent for half a minute, most after one minute. */
const defaultHeartbeatMs = 15_000;

const sseHeaders: HttpHeaders = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-store, no-transform",
  // Nginx and similar proxies would hold events back otherwise.
  "X-Accel-Buffering": "no",
};

/**
 * Answers with a stream of server-sent events. The `id` of an event is its sequence, so that `Last-Event-ID`
 * resumes after it. Rejects if the stream fails within `patienceMs`, so that the failure can be a plain answer;
 * a later failure becomes an event of the open stream.
 */
export async function openSse(
  events: AsyncIterable<StreamEvent>,
  { encoding, headers, heartbeatMs = defaultHeartbeatMs, patienceMs }: SseOptions,
): Promise<StreamedResponse> {
  const waking = wakingEvents(events);
  const isReady = await readyWithin(patienceMs, waking);
  const first = isReady ? (waking.take() ?? (await waking.next()).value) : undefined;
  const frames = new SseFrames(waking, encoding, first);
  return {
    status: 200,
    headers: { ...sseHeaders, ...headers },
    stream: { [Symbol.asyncIterator]: () => frames },
    heartbeat: { text: ": keep-alive\n\n", everyMs: heartbeatMs },
  };
}

/** A resumed stream often begins with silence; any other begins with an event or fails soon. */
export function patienceFor({ resumeAfter }: CallContext): number {
  return resumeAfter === undefined ? 1000 : 100;
}

/** Whether there is something to read before the time is over. */
function readyWithin(ms: number, events: WakingEvents): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms, false);
    const wake = (): void => {
      clearTimeout(timer);
      resolve(true);
    };
    events.onReady({ wake });
  });
}

/** Answers with an error as the only event of a stream, for callers that read nothing but streams. */
export function errorAsSse(
  error: A2AError,
  encodeError: SseEncoding["encodeError"],
): StreamedResponse {
  async function* one(): AsyncGenerator<string, undefined, void> {
    yield errorFrame(error, { encodeError });
  }
  return {
    status: 200,
    headers: sseHeaders,
    stream: one(),
    heartbeat: { text: "", everyMs: defaultHeartbeatMs },
  };
}
