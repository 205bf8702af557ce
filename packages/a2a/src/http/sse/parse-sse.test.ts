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

const anySize = { maxBytes: Infinity, option: "maxEventBytes" };

async function read(...pieces: readonly (string | Uint8Array)[]): Promise<unknown[]> {
  return readWithin(Infinity, ...pieces);
}

async function readWithin(
  maxBytes: number,
  ...pieces: readonly (string | Uint8Array)[]
): Promise<unknown[]> {
  const bytes = pieces.map((piece) =>
    typeof piece === "string" ? new TextEncoder().encode(piece) : piece,
  );
  const events: unknown[] = [];
  for await (const piece of parseSse(bodyOf(...bytes), { ...anySize, maxBytes })) {
    events.push(...piece);
  }
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
  for await (const piece of parseSse(body, anySize, () => (activity += 1))) {
    expect([...piece]).toEqual([{ data: "1" }]);
    break;
  }
  expect(activity).toBe(1);
  expect(isCanceled).toBe(true);
});

it("reads a long line of very small pieces", async () => {
  const [event] = await read("data: ", ...Array.from({ length: 10_000 }, () => "xy"), "\n\n");
  expect(event).toEqual({ data: "xy".repeat(10_000) });
});

it("counts each event on its own, whatever comes between events", async () => {
  const text = `: ${"-".repeat(80)}\n\ndata: ${"x".repeat(80)}\n\n`.repeat(50);
  const events = await readWithin(100, ...text.split(/(?=[-x])/));
  expect(events).toHaveLength(50);
});

it.each([
  ["a line that is too long", `data: ${"x".repeat(100)}`],
  ["too many lines", "data: x\n".repeat(50)],
  ["too many empty lines", "data:\n".repeat(50)],
  ["a comment that is too long", `:${"x".repeat(100)}`],
  ["an event that is too large, and complete", `data: ${"x".repeat(100)}\n\n`],
  ["an event of too many values", `data: [${",[]".repeat(20)}]\n\n`],
])("refuses %s, however it comes", async (_, text) => {
  const refusal = {
    code: "INVALID_AGENT_RESPONSE",
    details: { metadata: { problem: "maxEventBytes" } },
  };
  await expect(readWithin(100, "data: 1\n\n", text)).rejects.toMatchObject(refusal);
  await expect(readWithin(100, "data: 1\n\n", ...text.split(""))).rejects.toMatchObject(refusal);
});

it("refuses everything where the limit is no number", async () => {
  await expect(readWithin(Number.NaN, "data: 1\n\n")).rejects.toThrow("NaN bytes");
});
