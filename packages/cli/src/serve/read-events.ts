import { createParser } from "eventsource-parser";
import { maxLineBytes, tooLong } from "./text-streams.js";

/** The data of the events of an event stream (SSE), as they come. Refuses an event that is too long. */
export async function* readEvents(
  texts: AsyncIterable<string>,
  source: string,
): AsyncGenerator<string> {
  let arrived: string[] = [];
  let isTooLong = false;
  const parser = createParser({
    maxBufferSize: maxLineBytes,
    onEvent: ({ data }) => arrived.push(data),
    onError: ({ type }) => (isTooLong ||= type === "max-buffer-size-exceeded"),
  });
  for await (const text of texts) {
    parser.feed(text);
    yield* arrived;
    arrived = [];
    if (isTooLong) throw tooLong(source);
  }
}
