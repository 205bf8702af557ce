import { describe, expect, it } from "vitest";
import { nextTurn } from "../../../async/internal.js";
import type { Streamable } from "../../author/run-context.js";
import { readAhead } from "./read-ahead.js";

async function collect(source: Streamable): Promise<unknown[]> {
  const chunks: unknown[] = [];
  for await (const chunk of readAhead(source)) chunks.push(chunk);
  return chunks;
}

describe("a source that is read ahead", () => {
  it.each([
    ["texts", "x".repeat(100)],
    ["data", { data: "x".repeat(100) }],
  ])("waits for its reader with its %s", async (_, chunk) => {
    let made = 0;
    const source = async function* () {
      for (; made < 10_000; made += 1) yield chunk;
    };
    const reader = readAhead(source());
    await reader.next();
    for (let turn = 0; turn < 10; turn += 1) await nextTurn();
    expect(made).toBeLessThan(2000);
    await reader.return();
  });

  it("waits for its reader although texts and data take turns", async () => {
    let made = 0;
    const source = async function* () {
      for (; made < 10_000; made += 1) yield made % 2 === 0 ? "text" : { data: "x".repeat(100) };
    };
    const reader = readAhead(source());
    for (let read = 0; read < 100; read += 1) {
      await reader.next();
      await nextTurn();
    }
    expect(made).toBeLessThan(2000);
    await reader.return();
  });

  it("gives every chunk in order, with the text that piled up as one", async () => {
    const source = async function* () {
      yield* ["a", "", "b", undefined, null, { data: 1 }, { data: 2 }, "c"];
    };
    const chunks = await collect(source());
    const whole = chunks.map((chunk) => (typeof chunk === "string" ? chunk : "|")).join("");
    expect(whole).toBe("ab||c");
  });

  it.each([
    ["gives no promise", () => ({ done: true, value: undefined })],
    ["gives nothing", () => undefined],
    [
      "throws",
      () => {
        throw new Error("cannot be closed");
      },
    ],
  ])("may have a return() that %s", async (_, close) => {
    const texts = ["a"];
    const next = async () => {
      const value = texts.shift();
      return { done: value === undefined, value };
    };
    const iterator = { next, return: close } as unknown as AsyncIterator<string>;
    const source = { [Symbol.asyncIterator]: () => iterator } as AsyncIterable<string>;
    expect(await collect(source)).toEqual(["a"]);
  });
});
