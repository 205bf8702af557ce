import { describe, expect, it } from "vitest";
import type { Handler } from "../../src/server/index.js";
import { textOf } from "../../src/server/internal.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { artifactText, stateOf, taskOf, textIn } from "../support/runtime/answers.js";
import { call, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";

async function* chunks(...texts: readonly string[]): AsyncGenerator<string, void, void> {
  yield* texts;
}

/** Asks on one node, which stops, and answers on another, with the code that the handler has then. */
async function answered(before: Handler, after: Handler = before) {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  const first = await openTestRuntime({ store, clock, durable: true, run: before });
  const { id: taskId } = taskOf(await first.service.sendMessage(say("go"), call()));
  await first.service.close();
  await using second = await openTestRuntime({
    store,
    clock,
    durable: true,
    run: after,
  });
  const task = taskOf(await second.service.sendMessage(say("yes", { taskId }), call()));
  expect(stateOf(task)).toBe("completed");
  return task;
}

describe("a finished stream stays in the answer of a handler that is begun again", () => {
  const writes = (...names: readonly string[]): Handler =>
    async function* ({ stream, ask }) {
      for (const name of names) yield* stream(name, () => chunks(`${name.toUpperCase()} `));
      yield `END ${textOf(await ask("?"))}`;
    };

  it("after a step that failed, and so is taken again", async () => {
    const task = await answered(async function* ({ stream, step, ask }) {
      await step("style", () => Promise.reject(new Error("down"))).catch(() => undefined);
      yield* stream("draft", () => chunks("The ", "draft. "));
      yield `You said ${textOf(await ask("Publish?"))}.`;
    });
    expect(artifactText(task)).toBe("The draft. You said yes.");
  });

  it.each([
    ["after a new step", ["one"], ["+", "one"], "ONE END yes"],
    ["beside a stream with a new name", ["one", "two"], ["uno", "two"], "UNO TWO END yes"],
    ["after a new stream", ["one", "two"], ["one", "three", "two"], "ONE THREE TWO END yes"],
    ["before a new stream", ["one"], ["one", "two"], "ONE TWO END yes"],
    [
      "where it was told, when its place changes",
      ["one", "two"],
      ["two", "one"],
      "ONE TWO END yes",
    ],
  ] as const)("%s", async (_, before, after, answer) => {
    const changed: Handler = async function* (context) {
      const names = after.filter((name) => name !== "+");
      if (names.length < after.length) await context.step("new", () => 1);
      const rest = writes(...names)(context) as AsyncGenerator<string, void, void>;
      yield* rest;
    };
    expect(artifactText(await answered(writes(...before), changed))).toBe(answer);
  });

  it("in an artifact of its own that goes on after the question", async () => {
    const task = await answered(async function* ({ stream, step, ask }) {
      await step("style", () => Promise.reject(new Error("down"))).catch(() => undefined);
      yield* stream("body", () => chunks("BODY "), { artifact: "page" });
      await ask("?");
      yield { artifact: "page", append: true, text: "FOOTER" };
    });
    const page = task.artifacts?.find(({ artifactId }) => artifactId === "page");
    expect(textIn(page?.parts ?? [])).toBe("BODY FOOTER");
  });

  it("after a fallback for a model that failed", async () => {
    const task = await answered(async function* ({ stream, ask }) {
      try {
        yield* stream("big", async function* () {
          yield "BIG ";
          throw new Error("overloaded");
        });
      } catch {
        yield* stream("small", () => chunks("SMALL "));
      }
      yield `END ${textOf(await ask("?"))}`;
    });
    expect(artifactText(task)).toBe("BIG SMALL END yes");
  });

  it("beside a step that was not done when its handler asked", async () => {
    let attempts = 0;
    const task = await answered(async function* ({ stream, step, ask }) {
      attempts += 1;
      const slow = attempts === 1 ? new Promise<never>(() => undefined) : Promise.resolve("slow");
      yield "intro ";
      const background = step("background", () => slow);
      yield* stream("draft", () => chunks("DRAFT "));
      const answer = textOf(await ask("?"));
      yield `END ${answer} ${await background}`;
    });
    expect(artifactText(task)).toBe("intro DRAFT END yes slow");
  });
});

it("a stream that nobody reads is reported, with what to write", async () => {
  await using runtime = await openTestRuntime({
    run: async ({ stream }) => {
      stream("draft", () => chunks("never told"));
      return "done";
    },
  });
  await runtime.service.sendMessage(say("go"), call());
  expect(runtime.reports.map(({ error }) => String(error))).toEqual([
    'Error: stream("draft", ...) was called and never read: write yield* stream("draft", ...)',
  ]);
});
