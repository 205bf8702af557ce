import { expect, it } from "vitest";
import { readServerEvents } from "./sse.js";
import type { ServerEvent } from "./sse.js";

/** Reads a text that comes in pieces of so many bytes. */
async function read(text: string, size: number): Promise<readonly ServerEvent[]> {
  const bytes = new TextEncoder().encode(text);
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size)
        controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  const events: ServerEvent[] = [];
  for await (const event of readServerEvents(body)) events.push(event);
  return events;
}

it.each(["\n", "\r\n"])(
  "reads the same events wherever the bytes are cut, lines ended by %j",
  async (end) => {
    const text = [
      "event: a",
      "id: 1",
      "data: é:1",
      "data:2",
      "",
      ": heartbeat",
      "",
      "data",
      "",
      "",
    ].join(end);
    for (let size = 1; size <= text.length + 1; size += 1) {
      expect(await read(text, size)).toEqual([
        { event: "a", id: "1", data: "é:1\n2" },
        { event: "message", data: "" },
      ]);
    }
  },
);

it("gives no event that was not ended", async () => {
  expect(await read("data: 1\n\ndata: 2\n", 4)).toEqual([{ event: "message", data: "1" }]);
});
