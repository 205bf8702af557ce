import { describe, expect, it } from "vitest";
import { checkElements, readText } from "./read-text.js";

const encoder = new TextEncoder();
const option = "maxAnswerBytes";

/** An answer whose body comes in pieces. */
function answerOf(pieces: Iterable<Uint8Array>, onCancel: () => void = () => undefined): Response {
  const iterator = pieces[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = iterator.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    cancel: onCancel,
  });
  return new Response(body);
}

function* endless(): Generator<Uint8Array, void, void> {
  for (;;) yield encoder.encode("x".repeat(10));
}

describe("the text of an answer", () => {
  it("is read whole, wherever it is split", async () => {
    const text = "grüß dich 👋";
    const bytes = Array.from(encoder.encode(text), (byte) => Uint8Array.of(byte));
    expect(await readText(answerOf(bytes), { maxBytes: bytes.length, option })).toBe(text);
    expect(await readText(new Response(text), { maxBytes: bytes.length, option })).toBe(text);
    expect(await readText(new Response(null), { maxBytes: 0, option })).toBe("");
  });

  it("is read where the body is no stream", async () => {
    const plain = { body: undefined, text: async () => "text" } as unknown as Response;
    expect(await readText(plain, { maxBytes: 10, option })).toBe("text");
  });

  it("is refused beyond the limit, and the connection is closed", async () => {
    let isClosed = false;
    const answer = answerOf(endless(), () => (isClosed = true));
    await expect(readText(answer, { maxBytes: 1000, option })).rejects.toMatchObject({
      code: "INVALID_AGENT_RESPONSE",
      message: "the answer exceeds maxAnswerBytes of connect(): 1000 bytes",
      details: { metadata: { problem: "maxAnswerBytes" } },
    });
    expect(isClosed).toBe(true);
  });

  it("is told of when it begins, and with every piece", async () => {
    let signs = 0;
    const pieces = ["a", "b", "c"].map((one) => encoder.encode(one));
    await readText(answerOf(pieces), { maxBytes: 3, option }, () => (signs += 1));
    expect(signs).toBe(4);
  });
});

describe("the values of an answer", () => {
  const limit = { maxBytes: 1600, option };

  it.each([
    ["commas in a text", JSON.stringify({ text: ',{"['.repeat(300) })],
    ["a text that ends in a backslash", JSON.stringify(["\\".repeat(301), "[".repeat(600)])],
    ["as many values as fit", `[${"1,".repeat(98)}1]${" ".repeat(1000)}`],
    ["no JSON", "<p>".repeat(500)],
  ])("are admitted: %s", (_, json) => {
    expect(checkElements(json, limit)).toBe(json);
  });

  it.each([
    ["very many objects", `[${"{},".repeat(100)}{}]`],
    ["very deep arrays", "[".repeat(101)],
    ["very many members", `{${'"a":0,'.repeat(100)}"a":0}`],
    ["many values after a text", `["\\"",${"0,".repeat(101)}0]`],
  ])("are refused: %s", (_, json) => {
    expect(() => checkElements(json, limit)).toThrow("maxAnswerBytes of connect(): 1600 bytes");
  });
});
