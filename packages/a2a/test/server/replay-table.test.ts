import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { text as readAll } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { createInProcessBus } from "../../src/bus/index.js";
import { isInterrupted, isTerminal } from "../../src/protocol/internal.js";
import type { Task } from "../../src/protocol/internal.js";
import type { Handler, RunContext } from "../../src/server/index.js";
import { textOf } from "../../src/server/internal.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import type { Store } from "../../src/store/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { openFolder } from "../support/files/open-folder.js";
import { artifactText, stateOf, taskOf, textIn } from "../support/runtime/answers.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../support/runtime/open-test-runtime.js";
import { createGate } from "../support/time/gate.js";
import { settle, until } from "../support/time/until.js";

const leaseMs = 8000;

const never = (): Promise<never> => new Promise(() => undefined);

/** One store, and the nodes that are opened over it one after the other. */
interface Stage extends AsyncDisposable {
  readonly store: Store;
  /** Opens a node that runs this code. */
  deploy(run: Handler, options?: { readonly durable?: boolean }): Promise<TestRuntime>;
  /** Kills a node, and lets its lease end. */
  kill(node: TestRuntime): Promise<void>;
}

async function openStage(kind: "memory" | "SQLite"): Promise<Stage> {
  const folder = kind === "SQLite" ? await openFolder() : undefined;
  const store =
    folder === undefined
      ? createMemoryStore()
      : await openSqliteStore({ path: folder.file(), durability: "process" });
  const clock = createTestClock();
  const bus = createInProcessBus();
  const nodes: TestRuntime[] = [];
  return {
    store,
    async deploy(run, { durable = false } = {}) {
      const node = await openTestRuntime({
        run,
        durable,
        store,
        clock,
        bus,
        settings: { leaseMs },
      });
      nodes.push(node);
      return node;
    },
    async kill(node) {
      await settle();
      node.freeze();
      await clock.advance(leaseMs);
    },
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node[Symbol.asyncDispose]();
      await store.close();
      await folder?.[Symbol.asyncDispose]();
    },
  };
}

async function ask({ service }: TestRuntime, text = "go"): Promise<string> {
  return taskOf(await service.sendMessage(sayAndLeave(text), call())).id;
}

async function answer({ service }: TestRuntime, taskId: string, text: string): Promise<Task> {
  return taskOf(await service.sendMessage(say(text, { taskId }), call()));
}

/** The task once it waits for its caller, or has ended. */
async function settled({ service }: TestRuntime, id: string): Promise<Task> {
  let task = await service.getTask({ id }, call());
  await until(async () => {
    task = await service.getTask({ id }, call());
    return isInterrupted(task.status.state) || isTerminal(task.status.state);
  }, `task ${id} to settle`);
  return task;
}

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
    const node = await stage.deploy(async function* ({ ask: askCaller }) {
      for await (const chunk of model.stream()) yield chunk;
      const answered = textOf(await askCaller("Good?"));
      yield { status: `it is ${answered}` };
    });
    for (let number = 1; number <= 5; number += 1) {
      const id = await ask(node);
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
    const run: Handler = async function* ({ ask: askCaller }) {
      for await (const chunk of model.stream()) yield chunk;
      const answered = textOf(await askCaller("Good?"));
      yield { artifact: "verdict", text: answered };
    };
    const first = await stage.deploy(run);
    const id = await ask(first);
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
    const run: Handler = async function* ({ ask: askCaller, stream }) {
      const draft = yield* stream("draft", () => model.stream());
      drafts.push(draft);
      await askCaller("Good?");
      yield "!";
    };
    const first = await stage.deploy(run);
    const id = await ask(first);
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
      const id = await ask(node);
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
    const before: Handler = async function* ({ ask: askCaller, step }) {
      yield "one ";
      const found = await step("find", () => "found");
      yield "two ";
      yield { status: "About to ask" };
      const where = textOf(await askCaller("Where?"));
      const booked = await step("book", () => "booked");
      yield `${found} ${where} ${booked}`;
    };

    const edits: readonly (readonly [string, Handler, string])[] = [
      [
        "adds an output before the question",
        async function* ({ ask: askCaller, step }) {
          yield "zero ";
          yield "one ";
          const found = await step("find", () => "found again");
          yield "two ";
          yield { status: "Something new" };
          yield { status: "About to ask" };
          const where = textOf(await askCaller("Where?"));
          yield `${found} ${where}`;
        },
        "one two found Tokyo",
      ],
      [
        "removes outputs before the question",
        async function* ({ ask: askCaller, step }) {
          const found = await step("find", () => "found again");
          const where = textOf(await askCaller("Where?"));
          yield `${found} ${where}`;
        },
        "one two found Tokyo",
      ],
      [
        "adds a step before the question",
        async function* ({ ask: askCaller, step }) {
          yield "one ";
          const found = await step("find", () => "found again");
          const rated = await step("rate", () => "rated");
          yield "two ";
          const where = textOf(await askCaller("Where?"));
          yield `${found} ${rated} ${where}`;
        },
        "one two found rated Tokyo",
      ],
      [
        "removes a step, and says what it wants to know in other words",
        async function* ({ ask: askCaller }) {
          yield "one ";
          const where = textOf(await askCaller("To which city?"));
          yield `just ${where}`;
        },
        "one two just Tokyo",
      ],
      [
        "moves steps and outputs across the question",
        async function* ({ ask: askCaller, step }) {
          const booked = await step("book", () => "booked early");
          const where = textOf(await askCaller("Where?"));
          const found = await step("find", () => "found again");
          yield `${booked} ${where} ${found}`;
        },
        "booked early Tokyo found",
      ],
      [
        "asks something else first, under a name",
        async function* ({ ask: askCaller, step }) {
          yield "one ";
          await step("find", () => "found again");
          const where = textOf(await askCaller("Where?"));
          const when = textOf(await askCaller("When?", { name: "when" }));
          yield `${where} ${when}`;
        },
        "one two Tokyo Monday",
      ],
    ];

    it.each(edits)("that %s lets the task complete", async (_, after, expected) => {
      await using stage = await openStage(kind);
      const first = await stage.deploy(before);
      const id = await ask(first);
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
      const first = await stage.deploy(async ({ ask: askCaller }) => {
        const where = textOf(await askCaller("Where?", { name: "where" }));
        const when = textOf(await askCaller("When?", { name: "when" }));
        return `${where} ${when}`;
      });
      const id = await ask(first);
      await settled(first, id);
      await answer(first, id, "Tokyo");
      await first[Symbol.asyncDispose]();
      const second = await stage.deploy(async ({ ask: askCaller }) => {
        const when = textOf(await askCaller("On which day?", { name: "when" }));
        const who = textOf(await askCaller("Who?", { name: "who" }));
        const where = textOf(await askCaller("To where?", { name: "where" }));
        return `${where} ${when} ${who}`;
      });
      expect(stateOf(await answer(second, id, "Monday"))).toBe("input_required");
      const task = await answer(second, id, "Ada");
      expect(artifactText(task)).toBe("Tokyo Monday Ada");
    });
  });

  it("steps side by side get their own results, whichever is recorded first", async () => {
    await using stage = await openStage(kind);
    const done: string[] = [];
    const gate = createGate();
    const runOf = (node: string): Handler =>
      async function* ({ step }) {
        const take = (name: string, until?: Promise<void>): Promise<string> =>
          step(name, async () => {
            if (node === "first") await until;
            done.push(`${name} by ${node}`);
            return `${name} by ${node}`;
          });
        // The first comes last, and its process is killed before it comes.
        const results = await Promise.all([take("a", gate.opened), take("b"), take("c")]);
        yield results.join(", ");
      };
    const first = await stage.deploy(runOf("first"), { durable: true });
    const id = await ask(first);
    await until(async () => {
      const log = await stage.store.read(id, 0, 1000);
      return log.filter(({ event }) => event.kind === "step-recorded").length === 2;
    }, "two steps to be recorded");
    await stage.kill(first);
    const second = await stage.deploy(runOf("second"), { durable: true });
    const task = await settled(second, id);
    expect(artifactText(task)).toBe("a by second, b by first, c by first");
    expect(done).toEqual(["b by first", "c by first", "a by second"]);
  });

  it("steps of one name in one turn get their own results", async () => {
    await using stage = await openStage(kind);
    const cities = ["Tokyo", "Oslo", "Lima"];
    const looked: string[] = [];
    const run: Handler = async ({ ask: askCaller, step }) => {
      const found = await Promise.all(
        cities.map((city, index) =>
          step("look", async () => {
            // The later ones are done first.
            for (let turns = cities.length - index; turns > 0; turns -= 1) await settle();
            looked.push(city);
            return city;
          }),
        ),
      );
      const chosen = textOf(await askCaller("Which?"));
      return `${chosen} of ${found.join(", ")}`;
    };
    const first = await stage.deploy(run);
    const id = await ask(first);
    await settled(first, id);
    await stage.kill(first);
    const task = await answer(await stage.deploy(run), id, "Oslo");
    expect(artifactText(task)).toBe("Oslo of Tokyo, Oslo, Lima");
    expect(looked.toSorted()).toEqual(cities.toSorted());
  });

  it("a step that throws, and that nobody awaits, fails its task and nothing else", async () => {
    await using stage = await openStage(kind);
    const node = await stage.deploy(async function* ({ text, step }) {
      if (text === "other") return "fine";
      yield "begun";
      void step("charge", async () => {
        await settle();
        throw new Error("the card was declined");
      });
      yield "unsuspecting";
      return undefined;
    });
    const failed = taskOf(await node.service.sendMessage(say("go"), call()));
    expect(stateOf(failed)).toBe("failed");
    expect(node.reports.map(({ error }) => String(error))).toContain(
      "Error: the card was declined",
    );
    const { message } = await node.service.sendMessage(say("other"), call());
    expect(textIn(message?.parts ?? [])).toBe("fine");
  });
});

/** A program that serves an agent with such a step, and says how two tasks end. */
const script = `
  import { agent, openRuntime } from "@parley/a2a/server";
  import { createMemoryStore } from "@parley/a2a/store/memory";
  const careless = agent({
    name: "Careless", description: "Forgets to await",
    async *run({ text, step }) {
      yield "begun";
      if (text === "throw") step("x", async () => { await null; throw new Error("nobody hears this"); });
      if (text === "late") step("x", () => new Promise((_, reject) => setTimeout(() => reject(new Error("late")), 20)));
      yield "done";
    },
  });
  const runtime = await openRuntime({ agent: careless, store: createMemoryStore(), report: () => {} });
  const send = async (text) => {
    const message = { messageId: text, role: "ROLE_USER", parts: [{ text }] };
    const { task } = await runtime.sendMessage({ message }, { version: "1.0" });
    return task.status.state;
  };
  console.log(await send("throw"), await send("late"), await send("calm"));
  await runtime.close();`;

it("a step that throws, and that nobody awaits, does not take its process down", async () => {
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    cwd,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [said, [code]] = await Promise.all([readAll(child.stdout), once(child, "close")]);
  expect(said.trim()).toBe("TASK_STATE_FAILED TASK_STATE_FAILED TASK_STATE_COMPLETED");
  expect(code).toBe(0);
});

it("a step gives what JSON can carry, and nothing else compiles", () => {
  interface Booking {
    readonly number: number;
    readonly guests: readonly string[];
    readonly note?: string;
  }
  const statements = async ({ step }: RunContext): Promise<void> => {
    // @ts-expect-error a date comes back as a string
    await step("now", () => new Date());
    // @ts-expect-error so does one further down
    await step("now", async () => ({ at: [new Date()] }));
    // @ts-expect-error a map comes back empty
    await step("map", () => new Map<string, string>());
    // @ts-expect-error JSON has no functions
    await step("function", () => ({ go: () => 1 }));
    // @ts-expect-error JSON has no big integers
    await step("big", () => 1n);
    const booking: Booking = await step("book", (): Booking => ({ number: 1, guests: ["Ada"] }));
    const list: readonly Booking[] = await step("list", async () => [booking]);
    const nothing: void = await step("nothing", () => undefined);
    const text: string = await step("text", async ({ key, attempt }) => `${key} ${attempt}`);
    const unknown: unknown = await step("unknown", (): unknown => JSON.parse(text));
    void [list, nothing, unknown];
  };
  expect(statements).toBeTypeOf("function");
});
