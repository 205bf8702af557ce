import type { IncomingHttpHeaders } from "node:http";
import { collect as collectAll, take as takeFirst } from "../streams.js";
import { open } from "./http-client.js";
import type { JsonBody, SendOptions } from "./http-client.js";

/** One block of an event stream, as written: lines up to an empty one. */
export interface Frame {
  readonly id?: string;
  readonly data: readonly string[];
  readonly comments: readonly string[];
  readonly others: readonly string[];
}

export interface EventStream extends AsyncIterable<Frame>, Disposable {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Drops the connection. */
  close(): void;
}

/** Opens a route as an event stream, and yields every block, heartbeats too. */
export async function openEvents(
  url: string,
  route: string,
  options: SendOptions = {},
): Promise<EventStream> {
  const incoming = await open(url, route, options);
  incoming.setEncoding("utf8");
  incoming.on("error", () => undefined);
  const close = (): void => void incoming.destroy();
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    close,
    [Symbol.dispose]: close,
    async *[Symbol.asyncIterator]() {
      let rest = "";
      for await (const chunk of incoming) {
        const blocks = (rest + String(chunk)).split("\n\n");
        rest = blocks.pop() ?? "";
        yield* blocks.map(parseFrame);
      }
      if (rest !== "") throw new Error(`the stream broke off within a block: ${rest}`);
    },
  };
}

function parseFrame(block: string): Frame {
  const lines = block.split("\n");
  const fields = (prefix: string): string[] =>
    lines.filter((line) => line.startsWith(prefix)).map((line) => line.slice(prefix.length));
  const [id] = fields("id: ");
  return {
    ...(id !== undefined && { id }),
    data: fields("data: "),
    comments: fields(":"),
    others: lines.filter((line) => !/^(?:id: |data: |:)/.test(line)),
  };
}

/** An event of a stream: its id, and its data as JSON. */
export interface Event {
  readonly id?: string;
  readonly data: JsonBody;
}

/** The events of a stream, without heartbeats. */
export async function* eventsOf(stream: AsyncIterable<Frame>): AsyncGenerator<Event, void, void> {
  for await (const { id, data } of stream) {
    if (data.length === 0) continue;
    yield { ...(id !== undefined && { id }), data: JSON.parse(data.join("\n")) as JsonBody };
  }
}

/** All events, once the server has closed the stream. */
export function collect(stream: AsyncIterable<Frame>): Promise<readonly Event[]> {
  return collectAll(eventsOf(stream));
}

/** Reads the first events of a stream, then drops the connection. */
export async function take(stream: EventStream, count: number): Promise<readonly Event[]> {
  const taken = await takeFirst(eventsOf(stream), count);
  stream.close();
  return taken;
}
