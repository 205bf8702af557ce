import { describe, expect, it } from "vitest";
import { checkQuestion, checkSource, checkStep, checkStream } from "./check-call.js";

const work = (): number => 1;
async function* chunks(): AsyncGenerator<string, void, void> {
  yield "a";
}

describe("what a handler calls with", () => {
  it.each<[string, () => void]>([
    ["a step", () => checkStep("search", work, undefined)],
    ["a step with options", () => checkStep("search", work, { retries: 3, timeoutMs: 10 })],
    ["a step with a pause", () => checkStep("s", work, { backoff: { firstMs: 0, factor: 1.5 } })],
    ["a question", () => checkQuestion("ask()", { name: "where" })],
    ["a stream", () => checkStream("draft", chunks(), { artifact: "page", name: "Page" })],
    ["a stream of a function", () => checkStream("draft", chunks, undefined)],
    ["a ReadableStream", () => checkSource("draft", new ReadableStream())],
  ])("may be %s", (_, check) => {
    expect(check).not.toThrow();
  });

  it.each<[string, () => void, string]>([
    ["a step without a name", () => checkStep(work, undefined, undefined), "step(): its name is "],
    ["a step without work", () => checkStep("s", 1, undefined), 'step("s"): its work is 1; '],
    [
      "a misspelt option of a step",
      () => checkStep("s", work, { retry: 3 }),
      'step("s"): retry is unknown; expected one of retries, timeoutMs, backoff',
    ],
    [
      "a negative number of retries",
      () => checkStep("s", work, { retries: -1 }),
      'step("s"): retries is -1; ',
    ],
    [
      "a factor that shrinks",
      () => checkStep("s", work, { backoff: { factor: 0 } }),
      'step("s"): backoff.factor is 0; expected a number from 1',
    ],
    ["a name in place of options", () => checkQuestion("ask()", "where"), "ask(): "],
    ["a list as a source", () => checkStream("d", ["a"], undefined), 'stream("d"): its source is '],
    ["a text as a source", () => checkStream("d", "abc", undefined), 'stream("d"): its source is '],
    [
      "a misspelt option of a stream",
      () => checkStream("d", chunks, { artefact: "p" }),
      "artifact?",
    ],
  ])("may not be %s", (_, check, words) => {
    expect(check).toThrow(words);
  });
});
