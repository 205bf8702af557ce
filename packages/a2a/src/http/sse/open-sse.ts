import type { A2AError, CallContext, EventIterator, StreamEvent } from "../../protocol/internal.js";
import type { HttpHeaders, StreamedResponse } from "../http-message.js";
import type { Pieces } from "../large/encode-json.js";

/** How the events of a stream become the data of its frames. */
export interface SseEncoding {
  readonly encodeEvent: (event: StreamEvent) => readonly string[];
  /** The same for a large event, in turns with everyone else. */
  readonly encodeLargeEvent: (event: StreamEvent) => Promise<readonly Pieces[]>;
  /** What stands before and after the data of each event. */
  readonly envelope?: readonly [before: string, after: string];
  readonly encodeError: (error: A2AError) => string;
}

export interface SseOptions extends SseEncoding {
  readonly headers: HttpHeaders;
  /** 15 s when absent. */
  readonly heartbeatMs: number | undefined;
  /** How long the answer waits for the first event before it begins. */
  readonly patienceMs: number;
  /** The error that the caller gets for something thrown within the stream. */
  readonly failureOf: (error: unknown) => A2AError;
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
  options: SseOptions,
): Promise<StreamedResponse> {
  const iterator = events[Symbol.asyncIterator]();
  const first = iterator.next();
  await settledWithin(options.patienceMs, first);
  return {
    status: 200,
    headers: { ...sseHeaders, ...options.headers },
    stream: frames(startedWith(first, iterator), options),
    heartbeat: { text: ": keep-alive\n\n", everyMs: options.heartbeatMs ?? defaultHeartbeatMs },
  };
}

/** A resumed stream often begins with silence; any other begins with an event or fails soon. */
export function patienceFor({ resumeAfter }: CallContext): number {
  return resumeAfter === undefined ? 1000 : 100;
}

/** Answers with an error as the only event of a stream, for callers that read nothing but streams. */
export function errorAsSse(
  error: A2AError,
  encodeError: SseEncoding["encodeError"],
): StreamedResponse {
  async function* one(): AsyncGenerator<string, void, void> {
    yield errorFrame(error, { encodeError });
  }
  return {
    status: 200,
    headers: sseHeaders,
    stream: one(),
    heartbeat: { text: "", everyMs: defaultHeartbeatMs },
  };
}

async function settledWithin(ms: number, promise: Promise<unknown>): Promise<void> {
  promise.catch(() => undefined);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([promise, tooLong]);
  } finally {
    clearTimeout(timer);
  }
}

/** Events that have come meanwhile are joined to one piece of about this many characters. */
const pieceLength = 16_384;

/** An iterator whose first read has begun. It keeps nothing of what was read. */
function startedWith(
  first: ReturnType<EventIterator["next"]>,
  iterator: EventIterator,
): EventIterator {
  let started: typeof first | undefined = first;
  return {
    next() {
      const reading = started ?? iterator.next();
      started = undefined;
      return reading;
    },
    take: () => iterator.take?.(),
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  };
}

async function* frames(
  iterator: EventIterator,
  options: SseOptions,
): AsyncGenerator<string | Uint8Array, void, void> {
  let text = "";
  const { envelope = noEnvelope } = options;
  // A stream that waits, perhaps for days, must not keep the event before: it may be large.
  let next: IteratorResult<StreamEvent> | undefined;
  let event: StreamEvent | undefined;
  try {
    for (;;) {
      next = await iterator.next();
      if (next.done === true) return;
      event = next.value;
      next = undefined;
      if (event.isLarge === true) {
        yield* largeFrames(await options.encodeLargeEvent(event), event.sequence, envelope);
        event = undefined;
        continue;
      }
      for (text = ""; event !== undefined; event = iterator.take?.()) {
        text += eventFrames(options.encodeEvent(event), event.sequence, envelope);
        if (text.length >= pieceLength) break;
      }
      event = undefined;
      yield* piecesOf(text);
      text = "";
    }
  } catch (error) {
    yield text + errorFrame(options.failureOf(error), options);
  } finally {
    await iterator.return?.();
  }
}

const noEnvelope = ["", ""] as const;

/** Only the last frame of an event has its id: a reader that lost one of the others gets all of them again. */
function eventFrames(
  texts: readonly string[],
  sequence: number | undefined,
  [before, after]: readonly [string, string],
): string {
  const [only] = texts;
  if (texts.length === 1 && sequence !== undefined) {
    return `id: ${sequence}\ndata: ${before}${only}${after}\n\n`;
  }
  let frames = "";
  for (const [index, text] of texts.entries()) {
    const id = sequence === undefined || index < texts.length - 1 ? "" : `id: ${sequence}\n`;
    frames += `${id}data: ${before}${text}${after}\n\n`;
  }
  return frames;
}

/** The same for a large event. Its pieces are shared with other streams, so they are not put together. */
function* largeFrames(
  texts: readonly Pieces[],
  sequence: number | undefined,
  [before, after]: readonly [string, string],
): Generator<string | Uint8Array, void, void> {
  for (const [index, pieces] of texts.entries()) {
    const id = sequence === undefined || index < texts.length - 1 ? "" : `id: ${sequence}\n`;
    yield `${id}data: ${before}`;
    yield* pieces;
    yield `${after}\n\n`;
  }
}

/** A text in pieces, so that the socket of a slow reader holds one of them and not all of a long text. */
function* piecesOf(text: string): Generator<string, void, void> {
  let start = 0;
  while (text.length - start > 4 * pieceLength) {
    let end = start + 4 * pieceLength;
    // The two halves of a character stay together.
    if (isLeading(text.charCodeAt(end - 1))) end -= 1;
    yield text.slice(start, end);
    start = end;
  }
  yield start === 0 ? text : text.slice(start);
}

function isLeading(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}

/** Tells readers that reconnect by themselves how long to wait. */
function errorFrame(error: A2AError, { encodeError }: Pick<SseOptions, "encodeError">): string {
  const { retryAfterSeconds } = error.details;
  const retry = retryAfterSeconds === undefined ? "" : `retry: ${retryAfterSeconds * 1000}\n`;
  return `${retry}${dataFrame(encodeError(error))}`;
}

function dataFrame(text: string): string {
  return `data: ${text}\n\n`;
}
