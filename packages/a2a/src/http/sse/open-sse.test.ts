import { expect, it } from "vitest";
import { A2AError } from "../../protocol/internal.js";
import type { EventIterator, StreamEvent } from "../../protocol/internal.js";
import { openSse } from "./open-sse.js";
import type { SseEncoding } from "./sse-frames.js";

/** A stream that has events ready by the batch. */
function batchesOf(...batches: readonly (readonly string[])[]): AsyncIterable<StreamEvent> {
  const waiting = batches.map((batch) => [...batch]);
  let ready: string[] = [];
  const toEvent = (text: string | undefined): StreamEvent | undefined =>
    text === undefined
      ? undefined
      : { response: { message: { messageId: text, role: "ROLE_AGENT", parts: [] } } };
  const iterator: EventIterator = {
    async next() {
      if (ready.length === 0) ready = waiting.shift() ?? [];
      const value = toEvent(ready.shift());
      return value === undefined ? { done: true, value } : { done: false, value };
    },
    take: () => toEvent(ready.shift()),
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

async function piecesOf(events: AsyncIterable<StreamEvent>): Promise<string[]> {
  const encoder: SseEncoding["encoder"] = {
    textsOf({ response }) {
      const id = response.message?.messageId ?? "";
      if (id === "bad") throw new A2AError("INTERNAL", "cannot be written");
      return [id.startsWith("shared") ? new TextEncoder().encode(id) : id];
    },
    largeTextsOf: async ({ response }) => [
      (response.message?.messageId ?? "").split(" ").map((text) => new TextEncoder().encode(text)),
    ],
  };
  const { stream } = await openSse(events, {
    encoding: {
      encoder,
      encodeError: ({ message }) => message,
      failureOf: (error) => A2AError.from(error),
    },
    headers: {},
    heartbeatMs: 1000,
    patienceMs: 1000,
  });
  const pieces: string[] = [];
  const decoder = new TextDecoder();
  for await (const piece of stream) {
    pieces.push(typeof piece === "string" ? piece : decoder.decode(piece));
  }
  return pieces;
}

it("sends what is there together in one piece", async () => {
  expect(await piecesOf(batchesOf(["a"], ["b", "c"]))).toEqual([
    "data: a\n\n",
    "data: b\n\ndata: c\n\n",
  ]);
});

it("ends a piece that has become long", async () => {
  const [long, longer] = ["x".repeat(20_000), "y".repeat(20_000)];
  expect(await piecesOf(batchesOf(["a", long, longer]))).toEqual([
    `data: a\n\ndata: ${long}\n\n`,
    `data: ${longer}\n\n`,
  ]);
});

it("sends what came before a failure, and then the failure", async () => {
  expect(await piecesOf(batchesOf(["a"], ["b", "c", "bad", "d"]))).toEqual([
    "data: a\n\n",
    "data: b\n\ndata: c\n\ndata: cannot be written\n\n",
  ]);
});

it("sends bytes that are shared as they are, in their place among the others", async () => {
  expect(await piecesOf(batchesOf(["a", "shared", "b"]))).toEqual([
    "data: a\n\n",
    "data: ",
    "shared",
    "\n\n",
    "data: b\n\n",
  ]);
});

it("cuts a long text between characters, and a reader gets all of it", async () => {
  const text = `x${"🧳".repeat(100_000)}`;
  const pieces = await piecesOf(batchesOf([text]));
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.every((piece) => piece.isWellFormed())).toBe(true);
  expect(pieces.join("") === `data: ${text}\n\n`).toBe(true);
});

it("sends the pieces of a large event as they are, and its id before them", async () => {
  async function* one(): AsyncGenerator<StreamEvent, void> {
    const message = { messageId: "a b", role: "ROLE_AGENT", parts: [] } as const;
    yield { response: { message }, sequence: 7, isLarge: true };
  }
  expect(await piecesOf(one())).toEqual(["id: 7\ndata: ", "a", "b", "\n\n"]);
});
