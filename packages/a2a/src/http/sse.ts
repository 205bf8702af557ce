import { A2AError } from "../protocol/index.js";
import type { StreamEvent, StreamResponse } from "../protocol/index.js";
import type { HttpHeaders, StreamedResponse } from "./http-message.js";

/** How the events of a stream become the data of its frames. */
export interface SseEncoding {
  readonly encodeEvent: (response: StreamResponse) => readonly string[];
  readonly encodeError: (error: A2AError) => string;
}

export interface SseOptions extends SseEncoding {
  readonly headers: HttpHeaders;
  readonly heartbeatMs: number;
}

const sseHeaders: HttpHeaders = {
  "Content-Type": "text/event-stream",
  "Cache-Control": "no-cache, no-transform",
  // Nginx and its kin would hold events back otherwise.
  "X-Accel-Buffering": "no",
};

/**
 * A stream as server-sent events: `id` is the event's sequence, so that `Last-Event-ID` resumes after
 * it. Waits for the first event; a stream that fails before it has none, and rejects.
 */
export async function openSse(
  events: AsyncIterable<StreamEvent>,
  options: SseOptions,
): Promise<StreamedResponse> {
  const iterator = events[Symbol.asyncIterator]();
  const first = await iterator.next();
  return {
    status: 200,
    headers: { ...sseHeaders, ...options.headers },
    stream: frames(iterator, first, options),
    heartbeat: { text: ": keep-alive\n\n", everyMs: options.heartbeatMs },
  };
}

/** An error as a stream of one event, for callers that read nothing but streams. */
export function errorAsSse(error: A2AError, options: SseOptions): StreamedResponse {
  async function* one(): AsyncGenerator<string, void, void> {
    yield dataFrame(options.encodeError(error));
  }
  return {
    status: 200,
    headers: { ...sseHeaders, ...options.headers },
    stream: one(),
    heartbeat: { text: "", everyMs: options.heartbeatMs },
  };
}

async function* frames(
  iterator: AsyncIterator<StreamEvent>,
  first: IteratorResult<StreamEvent>,
  { encodeEvent, encodeError }: SseOptions,
): AsyncGenerator<string, void, void> {
  try {
    for (let next = first; next.done !== true; next = await iterator.next()) {
      const { response, sequence } = next.value;
      yield eventFrames(encodeEvent(response), sequence);
    }
  } catch (error) {
    yield dataFrame(encodeError(A2AError.from(error)));
  } finally {
    await iterator.return?.();
  }
}

/** Only the last frame of an event has its id: whoever lost the others has to get them again. */
function eventFrames(texts: readonly string[], sequence: number | undefined): string {
  const id = sequence === undefined ? "" : `id: ${sequence}\n`;
  return texts
    .map((text, index) => (index === texts.length - 1 ? `${id}data: ${text}\n\n` : dataFrame(text)))
    .join("");
}

function dataFrame(text: string): string {
  return `data: ${text}\n\n`;
}
