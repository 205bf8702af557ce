import { describe, expect, it } from "vitest";
import type { Handler } from "../../src/server/index.js";
import { textOf } from "../../src/server/internal.js";
import { artifactText, stateOf } from "../support/runtime/answers.js";
import { settle, until } from "../support/time/until.js";
import { answer, begin, never, openStage, settled } from "./replay/open-stage.js";

/** A language model: each call has its own words, and another number of them. */
function createModel() {
  let calls = 0;
  return {
    get calls() {
      return calls;
    },
    async *stream() {
      calls += 1;
      const by = calls;
      const count = 2 + ((by * 3) % 7);
      for (let index = 0; index < count; index += 1) {
        await settle();
        yield `${by}.${index}/${count} `;
      }
    },
  };
}

/** The generation by which all chunks of a text are, in order and none missing; fails when it is none. */
function generationOf(text = ""): number {
  const chunks = text.trim().split(" ");
  const [, by = "", count = ""] = /^(\d+)\.0\/(\d+)$/.exec(chunks[0] ?? "") ?? [];
  const whole = Array.from({ length: Number(count) }, (_, index) => `${by}.${index}/${count}`);
  expect(chunks).toEqual(whole);
  return Number(by);
}

describe.each(["memory", "SQLite"] as const)("over a store of %s", (kind) => {
  it("an agent that streams a model and then asks completes all its tasks, with one call of the model each", async () => {
    await using stage = await openStage(kind);
    const model = createModel();
    const node = await stage.deploy(async function* ({ ask }) {
      for await (const chunk of model.stream()) yield chunk;
      const answered = textOf(await ask("Good?"));
      yield { status: `it is ${answered}` };
    });
    for (let number = 1; number <= 5; number += 1) {
      const id = await begin(node);
      expect(stateOf(await settled(node, id))).toBe("input_required");
      const task = await answer(node, id, "good");
      expect(stateOf(task)).toBe("completed");
      expect(generationOf(artifactText(task))).toBe(number);
      expect(model.calls).toBe(number);
    }
    expect(node.reports).toEqual([]);
  });

  it("such an agent goes on in another process too, with the text that its caller has read", async () => {
    await using stage = await openStage(kind);
    const model = createModel();
    const run: Handler = async function* ({ ask }) {
      for await (const chunk of model.stream()) yield chunk;
      const answered = textOf(await ask("Good?"));
      yield { artifact: "verdict", text: answered };
    };
    const first = await stage.deploy(run);
    const id = await begin(first);
    const read = artifactText(await settled(first, id));
    await stage.kill(first);
    const second = await stage.deploy(run);
    const task = await answer(second, id, "good");
    expect(stateOf(task)).toBe("completed");
    expect(artifactText(task)).toBe(read);
    expect(generationOf(read)).toBe(1);
    expect(artifactText(task, "verdict")).toBe("good");
    expect(model.calls).toBe(2);
  });

  it("a named stream that had ended is not generated again", async () => {
    await using stage = await openStage(kind);
    const model = createModel();
    const drafts: string[] = [];
    const run: Handler = async function* ({ ask, stream }) {
      const draft = yield* stream("draft", () => model.stream());
      drafts.push(draft);
      await ask("Good?");
      yield "!";
    };
    const first = await stage.deploy(run);
    const id = await begin(first);
    await settled(first, id);
    await stage.kill(first);
    const task = await answer(await stage.deploy(run), id, "good");
    expect(artifactText(task)).toBe(`${drafts[0]}!`);
    expect(drafts).toEqual([drafts[0], drafts[0]]);
    expect(generationOf(drafts[0])).toBe(1);
    expect(model.calls).toBe(1);
  });

  it.each(["by itself", "as a named stream", "in an artifact of its own"])(
    "a model whose process is killed again and again in the middle of it, %s, is one generation in the end",
    async (how) => {
      await using stage = await openStage(kind);
      const model = createModel();
      let cuts = 0;
      /** Comes to the middle of a generation, and to its end only if it is not to be killed there. */
      const cut = async function* (isKilled: boolean) {
        let told = 0;
        for await (const chunk of model.stream()) {
          if (isKilled && told === 2) {
            cuts += 1;
            await never();
          }
          yield chunk;
          told += 1;
        }
      };
      const runOf = (isKilled: boolean): Handler =>
        async function* ({ stream }) {
          if (how === "by itself") for await (const chunk of cut(isKilled)) yield chunk;
          else if (how === "as a named stream") yield* stream("text", cut(isKilled));
          else yield* stream("text", cut(isKilled), { artifact: "doc" });
        };
      let node = await stage.deploy(runOf(true), { durable: true });
      const id = await begin(node);
      for (let kills = 1; kills <= 3; kills += 1) {
        await until(() => cuts === kills, `generation ${kills} to come to its middle`);
        await stage.kill(node);
        node = await stage.deploy(runOf(kills < 3), { durable: true });
      }
      const task = await settled(node, id);
      expect(stateOf(task)).toBe("completed");
      const artifactId = how === "in an artifact of its own" ? "doc" : "answer";
      expect(generationOf(artifactText(task, artifactId))).toBe(4);
      expect(model.calls).toBe(4);
    },
  );

  describe("a redeploy under a waiting task", () => {
    const before: Handler = async function* ({ ask, step }) {
      yield "one ";
      const found = await step("find", () => "found");
      yield "two ";
      yield { status: "About to ask" };
      const where = textOf(await ask("Where?"));
      const booked = await step("book", () => "booked");
      yield `${found} ${where} ${booked}`;
    };

    const edits: readonly (readonly [string, Handler, string])[] = [
      [
        "adds an output before the question",
        async function* ({ ask, step }) {
          yield "zero ";
          yield "one ";
          const found = await step("find", () => "found again");
          yield "two ";
          yield { status: "Something new" };
          yield { status: "About to ask" };
          const where = textOf(await ask("Where?"));
          yield `${found} ${where}`;
        },
        "one two found Tokyo",
      ],
      [
        "removes outputs before the question",
        async function* ({ ask, step }) {
          const found = await step("find", () => "found again");
          const where = textOf(await ask("Where?"));
          yield `${found} ${where}`;
        },
        "one two found Tokyo",
      ],
      [
        "adds a step before the question",
        async function* ({ ask, step }) {
          yield "one ";
          const found = await step("find", () => "found again");
          const rated = await step("rate", () => "rated");
          yield "two ";
          const where = textOf(await ask("Where?"));
          yield `${found} ${rated} ${where}`;
        },
        "one two found rated Tokyo",
      ],
      [
        "removes a step, and says what it wants to know in other words",
        async function* ({ ask }) {
          yield "one ";
          const where = textOf(await ask("To which city?"));
          yield `just ${where}`;
        },
        "one two just Tokyo",
      ],
      [
        "moves steps and outputs across the question",
        async function* ({ ask, step }) {
          const booked = await step("book", () => "booked early");
          const where = textOf(await ask("Where?"));
          const found = await step("find", () => "found again");
          yield `${booked} ${where} ${found}`;
        },
        "booked early Tokyo found",
      ],
      [
        "asks something else first, under a name",
        async function* ({ ask, step }) {
          yield "one ";
          await step("find", () => "found again");
          const where = textOf(await ask("Where?"));
          const when = textOf(await ask("When?", { name: "when" }));
          yield `${where} ${when}`;
        },
        "one two Tokyo Monday",
      ],
    ];

    it.each(edits)("that %s lets the task complete", async (_, after, expected) => {
      await using stage = await openStage(kind);
      const first = await stage.deploy(before);
      const id = await begin(first);
      const waiting = await settled(first, id);
      expect(stateOf(waiting)).toBe("input_required");
      await first[Symbol.asyncDispose]();
      const second = await stage.deploy(after);
      let task = await answer(second, id, "Tokyo");
      if (stateOf(task) === "input_required") task = await answer(second, id, "Monday");
      expect(stateOf(task)).toBe("completed");
      expect(artifactText(task)).toBe(expected);
    });

    it("lets named questions change places, and each gets the answer to it", async () => {
      await using stage = await openStage(kind);
      const first = await stage.deploy(async ({ ask }) => {
        const where = textOf(await ask("Where?", { name: "where" }));
        const when = textOf(await ask("When?", { name: "when" }));
        return `${where} ${when}`;
      });
      const id = await begin(first);
      await settled(first, id);
      await answer(first, id, "Tokyo");
      await first[Symbol.asyncDispose]();
      const second = await stage.deploy(async ({ ask }) => {
        const when = textOf(await ask("On which day?", { name: "when" }));
        const who = textOf(await ask("Who?", { name: "who" }));
        const where = textOf(await ask("To where?", { name: "where" }));
        return `${where} ${when} ${who}`;
      });
      expect(stateOf(await answer(second, id, "Monday"))).toBe("input_required");
      const task = await answer(second, id, "Ada");
      expect(artifactText(task)).toBe("Tokyo Monday Ada");
    });
  });
});
