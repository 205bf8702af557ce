import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { text as readAll } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { Handler, RunContext } from "../../src/server/index.js";
import { textOf } from "../../src/server/internal.js";
import { artifactText, stateOf, taskOf, textIn } from "../support/runtime/answers.js";
import { call, say } from "../support/runtime/open-test-runtime.js";
import { createGate } from "../support/time/gate.js";
import { settle, until } from "../support/time/until.js";
import { answer, begin, never, openStage, settled } from "./replay/open-stage.js";

describe.each(["memory", "SQLite"] as const)("over a store of %s", (kind) => {
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
    const id = await begin(first);
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

  it("a step that is awaited after later outputs does not let those be told twice", async () => {
    await using stage = await openStage(kind);
    const gate = createGate();
    const runOf = (node: string): Handler =>
      async function* ({ step }) {
        const weather = step("weather", async () => {
          await gate.opened;
          return "rain";
        });
        yield "Looking. ";
        const flights = await step("flights", () => "two");
        yield `Flights: ${flights}. `;
        gate.open();
        yield `Weather: ${await weather}. `;
        if (node === "first") await never();
        yield "Bye.";
      };
    const first = await stage.deploy(runOf("first"), { durable: true });
    const id = await begin(first);
    const told = "Looking. Flights: two. Weather: rain. ";
    await until(async () => {
      const task = await first.service.getTask({ id }, call());
      return artifactText(task) === told;
    }, "the first process to have told all but the last");
    await stage.kill(first);
    const second = await stage.deploy(runOf("second"), { durable: true });
    expect(artifactText(await settled(second, id))).toBe(`${told}Bye.`);
  });

  it("steps that are under way together while something is told do not let that be told twice", async () => {
    await using stage = await openStage(kind);
    const gate = createGate();
    const runOf = (node: string): Handler =>
      async function* ({ step }) {
        const both = Promise.all([
          step("weather", async () => {
            await gate.opened;
            return "rain";
          }),
          step("flights", () => "two"),
        ]);
        yield "Looking. ";
        gate.open();
        yield `${(await both).join(", ")}. `;
        if (node === "first") await never();
        yield "Bye.";
      };
    const first = await stage.deploy(runOf("first"), { durable: true });
    const id = await begin(first);
    const told = "Looking. rain, two. ";
    await until(async () => {
      const task = await first.service.getTask({ id }, call());
      return artifactText(task) === told;
    }, "the first process to have told all but the last");
    await stage.kill(first);
    const second = await stage.deploy(runOf("second"), { durable: true });
    expect(artifactText(await settled(second, id))).toBe(`${told}Bye.`);
  });

  it("what is told between steps that have changed places is told", async () => {
    await using stage = await openStage(kind);
    let isCut = false;
    const first = await stage.deploy(
      async function* ({ step }) {
        await step("a", () => 1);
        await step("b", () => 2);
        await step("c", () => 3);
        yield "old";
        isCut = true;
        await never();
      },
      { durable: true },
    );
    const id = await begin(first);
    await until(() => isCut, "the first process to be in the middle");
    await stage.kill(first);
    const second = await stage.deploy(
      async function* ({ step }) {
        const b = await step("b", () => 20);
        yield `b ${b}, `;
        const a = await step("a", () => 10);
        yield `a ${a}`;
      },
      { durable: true },
    );
    expect(artifactText(await settled(second, id))).toBe("b 2, a 1");
  });

  it("steps of one name in one turn get their own results", async () => {
    await using stage = await openStage(kind);
    const cities = ["Tokyo", "Oslo", "Lima"];
    const looked: string[] = [];
    const run: Handler = async ({ ask, step }) => {
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
      const chosen = textOf(await ask("Which?"));
      return `${chosen} of ${found.join(", ")}`;
    };
    const first = await stage.deploy(run);
    const id = await begin(first);
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
