import { expect, it } from "vitest";
import { parseSse } from "./parse-sse.js";

/** A body that comes in the pieces given. */
function bodyOf(...pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  const rest = [...pieces];
  return new ReadableStream({
    pull(controller) {
      const piece = rest.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
}

async function read(...pieces: readonly (string | Uint8Array)[]): Promise<unknown[]> {
  const bytes = pieces.map((piece) =>
    typeof piece === "string" ? new TextEncoder().encode(piece) : piece,
  );
  const events: unknown[] = [];
  for await (const event of parseSse(bodyOf(...bytes))) events.push(event);
  return events;
}

const recorded =
  ': hello\n\nid: 1\ndata: {"text":"grüß dich 👋"}\n\nid: 2\r\nevent: error\r\ndata: a\r\ndata:  b\r\n\r\n' +
  "data: without an id\r\rdata\n\nretry: 10\nunknown\n\ndata: cut";

const expected = [
  { id: "1", data: '{"text":"grüß dich 👋"}' },
  { id: "2", data: "a\n b" },
  { data: "without an id" },
  { data: "" },
];

it("reads a stream that is there as a whole", async () => {
  expect(await read(recorded)).toEqual(expected);
});

it("reads the same wherever the stream is split, inside a character or a line ending, too", async () => {
  const bytes = new TextEncoder().encode(recorded);
  for (let at = 0; at <= bytes.length; at += 1) {
    expect(await read(bytes.slice(0, at), bytes.slice(at)), `split at ${at}`).toEqual(expected);
  }
});

it("reads the same when every byte comes alone", async () => {
  const bytes = Array.from(new TextEncoder().encode(recorded), (byte) => Uint8Array.of(byte));
  expect(await read(...bytes)).toEqual(expected);
});

it("drops what a stream breaks off in, and whatever was complete is there, wherever it is cut", async () => {
  const bytes = new TextEncoder().encode(recorded);
  for (let at = 0; at <= bytes.length; at += 1) {
    const events = await read(bytes.slice(0, at));
    expect(events, `cut at ${at}`).toEqual(expected.slice(0, events.length));
  }
});

it("skips a byte order mark and an id with a null character", async () => {
  expect(await read("\uFEFFid: a\0b\ndata: x\n\n")).toEqual([{ data: "x" }]);
});

it("reads a long line in many pieces in one go over it", async () => {
  const piece = "x".repeat(1024);
  const pieces = Array.from({ length: 5000 }, () => piece);
  const [event] = await read("data: ", ...pieces, "\n\n");
  expect(event).toEqual({ data: piece.repeat(5000) });
});

it("tells of every piece that comes, and lets go of a body that nobody reads on", async () => {
  let activity = 0;
  let isCanceled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode(": beat\n\ndata: 1\n\n")),
    cancel: () => void (isCanceled = true),
  });
  for await (const { data } of parseSse(body, () => (activity += 1))) {
    expect(data).toBe("1");
    break;
  }
  expect(activity).toBe(1);
  expect(isCanceled).toBe(true);
});
