import { describe, expect, it } from "vitest";
import type { Handler } from "../../src/server/index.js";
import { textOf } from "../../src/server/internal.js";
import { verifies } from "../spec/verifies.js";
import {
  call,
  callBy,
  openTestRuntime,
  say,
  sayAndLeave,
} from "../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../support/runtime/open-test-runtime.js";
import {
  artifactText,
  describeEvents,
  stateOf,
  taskOf,
  textIn,
} from "../support/runtime/answers.js";
import { collect } from "../support/streams.js";
import { createDeferred } from "../../src/async/internal.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { settle, until } from "../support/time/until.js";

/** Sends messages to one task, one after the other, and gives its last answer. */
async function converse({ service }: TestRuntime, ...texts: readonly string[]) {
  let task = taskOf(await service.sendMessage(say(texts[0] ?? ""), call()));
  for (const text of texts.slice(1)) {
    task = taskOf(await service.sendMessage(say(text, { taskId: task.id }), call()));
  }
  return task;
}

/** Handlers are dropped as soon as they ask, and begun again when their answers come. */
const droppedAtOnce = { maxSuspended: 0 };

describe("a question", () => {
  it.each([
    ["goes on where it stands", 1, {}],
    ["is begun again, and given what it had, where handlers are dropped at once", 3, droppedAtOnce],
  ])("suspends its handler, which %s", async (_, begun, settings) => {
    let activations = 0;
    let bookings = 0;
    await using runtime = await openTestRuntime({
      settings,
      run: async function* ({ ask, step }) {
        activations += 1;
        yield "Hello ";
        yield { status: "Let me see" };
        const where = textOf(await ask("Where?"));
        const booking = await step("book", () => (bookings += 1));
        yield { artifact: "booking", data: booking };
        const when = textOf(await ask("When?"));
        yield `${where} on ${when}`;
        return `, no. ${await step("number", () => booking + 41)}`;
      },
    });
    const task = await converse(runtime, "go", "Tokyo", "Monday");
    expect(stateOf(task)).toBe("completed");
    expect(artifactText(task)).toBe("Hello Tokyo on Monday, no. 42");
    expect([activations, bookings]).toEqual([begun, 1]);
    expect(task.history?.map(({ parts }) => textIn(parts))).toEqual([
      "go",
      "Let me see",
      "Where?",
      "Tokyo",
      "When?",
      "Monday",
    ]);
    expect(runtime.watched).toBe(0);
  });

  it.each([{}, droppedAtOnce])("tells nothing twice (%j)", async (settings) => {
    await using runtime = await openTestRuntime({
      settings,
      run: async function* ({ ask }) {
        yield "a";
        yield textOf(await ask("b?"));
        yield textOf(await ask("c?"));
      },
    });
    const { id } = await converse(runtime, "go", "b", "c");
    const told = await collect(runtime.service.subscribeToTask({ id }, call({ resumeAfter: 0 })));
    expect(describeEvents(told)).toEqual([
      "task submitted",
      "status working",
      "artifact answer = a",
      "status input_required: b?",
      "status working",
      "artifact answer += b",
      "status input_required: c?",
      "status working",
      "artifact answer += c",
      "status completed",
    ]);
  });

  it("can be for authorization", async () => {
    verifies("auth:in-task-state", "auth:in-task-message", "auth:in-task-tracked");
    await using runtime = await openTestRuntime({
      run: async ({ authRequired }) => {
        await authRequired("Sign in at https://auth.example/");
        return "done";
      },
    });
    const waiting = await converse(runtime, "go");
    expect(stateOf(waiting)).toBe("auth_required");
    expect(textIn(waiting.status.message?.parts ?? [])).toBe("Sign in at https://auth.example/");
    const done = taskOf(
      await runtime.service.sendMessage(say("signed in", { taskId: waiting.id }), call()),
    );
    expect(artifactText(done)).toBe("done");
  });

  it("can be what a handler returns; the answer starts the next run, which knows what was said", async () => {
    const heard: string[][] = [];
    await using runtime = await openTestRuntime({
      run: async ({ text, history }) => {
        heard.push([...history.map(textOf), text]);
        return text === "stop" ? "Bye" : { inputRequired: `${text}?` };
      },
    });
    const task = await converse(runtime, "a", "b", "stop");
    expect(stateOf(task)).toBe("completed");
    expect(heard).toEqual([["a"], ["a", "a?", "b"], ["a", "a?", "b", "b?", "stop"]]);
  });

  it("leaves the answer of the run before it alone", async () => {
    await using runtime = await openTestRuntime({
      run: async function* ({ text }) {
        yield `about ${text}`;
        return text === "last" ? undefined : { inputRequired: "What else?" };
      },
    });
    const task = await converse(runtime, "first", "second", "last");
    expect(task.artifacts?.map(({ artifactId, parts }) => [artifactId, textIn(parts)])).toEqual([
      ["answer", "about first"],
      ["answer-2", "about second"],
      ["answer-3", "about last"],
    ]);
  });

  it("is answered by the first of several messages; the others are not lost", async () => {
    await using runtime = await openTestRuntime({
      run: async function* ({ text, ask }) {
        yield text === "go" ? `answer ${textOf(await ask("?"))}` : `other ${text}`;
      },
    });
    const { id: taskId } = await converse(runtime, "go");
    const texts = ["a", "b", "c"];
    await Promise.all(
      texts.map((text) => runtime.service.sendMessage(say(text, { taskId }), call())),
    );
    const task = await runtime.service.getTask({ id: taskId }, call());
    expect(task.artifacts?.map(({ parts }) => textIn(parts))).toEqual([
      "answer a",
      "other b",
      "other c",
    ]);
  });

  it.each<[string, Handler]>([
    [
      "asked side by side",
      async ({ ask }) => {
        const answers = await Promise.all([ask("first?"), ask("second?")]);
        return answers.map(textOf).join(" ");
      },
    ],
    [
      "asked inside a step",
      ({ ask, step }) =>
        step("both", async () => `${textOf(await ask("first?"))} ${textOf(await ask("second?"))}`),
    ],
  ])("is asked one after the other: %s", async (_, run) => {
    await using runtime = await openTestRuntime({ run });
    const task = await converse(runtime, "go", "one", "two");
    expect(artifactText(task)).toBe("one two");
  });

  it("is withdrawn when its handler goes on without the answer", async () => {
    const gate = createDeferred<string>();
    const refused: unknown[] = [];
    await using runtime = await openTestRuntime({
      run: async function* ({ ask, nextMessage }) {
        const asked = ask("Yes?").then(textOf, (error: unknown) => void refused.push(error));
        yield (await Promise.race([gate.promise, asked])) ?? "";
        yield ` then ${textOf(await nextMessage())}`;
      },
    });
    const { id: taskId } = await converse(runtime, "go");
    gate.resolve("no");
    await until(() => refused.length > 0);
    const working = await runtime.service.getTask({ id: taskId }, call());
    expect([stateOf(working), artifactText(working)]).toEqual(["working", "no"]);
    expect(refused).toEqual([
      expect.objectContaining({ message: expect.stringContaining("withdrawn") as string }),
    ]);
    const task = taskOf(await runtime.service.sendMessage(say("late", { taskId }), call()));
    expect([stateOf(task), artifactText(task)]).toEqual(["completed", "no then late"]);
    expect(runtime.watched).toBe(0);
  });

  it("that was withdrawn stays pending when its handler is begun again", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    let attempts = 0;
    const run: Handler = async function* ({ ask, signal }) {
      attempts += 1;
      const number = attempts;
      const asked = ask("Yes?").then(textOf, () => "withdrawn");
      await settle();
      yield await Promise.race([settle().then(() => "on my own"), asked.then(() => "answered")]);
      if (number === 1) await new Promise((resolve) => signal.addEventListener("abort", resolve));
      yield ` ${await asked}`;
    };
    const first = await openTestRuntime({ store, clock, durable: true, run });
    const sent = first.service.sendMessage(sayAndLeave("go"), call());
    const { id } = taskOf(await sent);
    await until(
      async () => artifactText(await first.service.getTask({ id }, call())) === "on my own",
    );
    first.freeze();
    await using second = await openTestRuntime({ store, clock, durable: true, run });
    await clock.advance(60_000);
    const ended = async (): Promise<boolean> =>
      stateOf(await second.service.getTask({ id }, call())) === "completed";
    await until(ended);
    const task = await second.service.getTask({ id }, call());
    expect(artifactText(task)).toBe("on my own withdrawn");
    expect(attempts).toBe(2);
  });
});

describe("a step", () => {
  it.each<[string, unknown, unknown]>([
    ["nothing", undefined, undefined],
    ["null", null, null],
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["an object with holes", { a: undefined, b: [undefined] }, { b: [null] }],
    ["a function", () => 1, null],
  ])(
    "gives the same, the first time and again, also of what is not JSON: %s",
    async (_, value, given) => {
      const results: unknown[] = [];
      await using runtime = await openTestRuntime({
        settings: droppedAtOnce,
        run: async ({ ask, step }) => {
          results.push(await step("s", () => value));
          await ask("?");
        },
      });
      await converse(runtime, "go", "on");
      expect(results).toEqual([given, given]);
    },
  );

  it("remembers its result as it was, whatever is done to it", async () => {
    const seen: number[][] = [];
    await using runtime = await openTestRuntime({
      settings: droppedAtOnce,
      run: async ({ ask, step }) => {
        const list = await step("list", () => [1]);
        seen.push([...list]);
        list.push(2);
        await ask("?");
      },
    });
    await converse(runtime, "go", "on");
    expect(seen).toEqual([[1], [1]]);
  });

  it("is done again when it failed, and can be tried again in the same run", async () => {
    let tries = 0;
    await using runtime = await openTestRuntime({
      settings: droppedAtOnce,
      run: async ({ step, ask }) => {
        const attempt = (): Promise<string> =>
          step("try", () => {
            tries += 1;
            if (tries === 1) throw new Error("not yet");
            return "done";
          });
        const first = await attempt().catch(() => "failed");
        const second = await attempt();
        await ask("?");
        return `${first} ${second}`;
      },
    });
    const task = await converse(runtime, "go", "on");
    // The journal knows the second try by its number; the first is tried again, and works now.
    expect(artifactText(task)).toBe("done done");
    expect(tries).toBe(3);
  });

  it("may run beside others", async () => {
    let calls = 0;
    await using runtime = await openTestRuntime({
      settings: droppedAtOnce,
      run: async ({ step, ask }) => {
        const names = ["a", "b", "c"];
        const results = await Promise.all(
          names.map((name, index) =>
            step(name, async () => {
              for (let turn = 3; turn > index; turn -= 1) await settle();
              calls += 1;
              return name;
            }),
          ),
        );
        await ask("?");
        return results.join("");
      },
    });
    expect(artifactText(await converse(runtime, "go", "on"))).toBe("abc");
    expect(calls).toBe(3);
  });
});

it("a run knows its call: who calls, what the request carried, what is accepted", async () => {
  verifies("send:accepted-output-modes");
  const seen: unknown[] = [];
  await using runtime = await openTestRuntime({
    settings: droppedAtOnce,
    run: async ({ caller, tenant, metadata, extensions, acceptedOutputModes, ask }) => {
      seen.push({ caller, tenant, metadata, extensions, acceptedOutputModes });
      if (seen.length === 1) await ask("?");
      return { inputRequired: "more?" };
    },
  });
  const ann = callBy("ann", { tenant: "acme", extensions: ["urn:e"] });
  const request = (text: string, n: number, taskId?: string) =>
    say(text, taskId === undefined ? {} : { taskId }, {
      metadata: { n },
      configuration: { acceptedOutputModes: [`text/${n}`] },
    });
  const { id } = taskOf(await runtime.service.sendMessage(request("a", 1), ann));
  await runtime.service.sendMessage(request("b", 2, id), ann);
  await runtime.service.sendMessage(request("c", 3, id), ann);
  const known = (n: number) => ({
    caller: { subject: "ann" },
    tenant: "acme",
    metadata: { n },
    extensions: ["urn:e"],
    acceptedOutputModes: [`text/${n}`],
  });
  // The answer to a question continues the run of its question; a message of its own has its own call.
  expect(seen).toEqual([known(1), known(1), known(3)]);
});

it("a run finds the tasks its message refers to, and those of its context", async () => {
  verifies("message:use-references", "context:same-session", "context:shared-knowledge");
  const seen: (readonly string[])[] = [];
  await using runtime = await openTestRuntime({
    run: async function* ({ text, referencedTasks, earlierTasks }) {
      yield text;
      if (text !== "look") return;
      const texts = (tasks: Awaited<ReturnType<typeof earlierTasks>>): string[] =>
        tasks.map((task) => artifactText(task) ?? "");
      seen.push(texts(await referencedTasks()), texts(await earlierTasks()));
      seen.push(texts(await earlierTasks(1)));
    },
  });
  const ann = callBy("ann");
  const ids: string[] = [];
  for (const [text, contextId, by] of [
    ["one", "c", ann],
    ["two", "c", ann],
    ["elsewhere", "d", ann],
    ["foreign", "c", callBy("bob")],
  ] as const) {
    ids.push(taskOf(await runtime.service.sendMessage(say(text, { contextId }), by)).id);
    await runtime.clock.advance(1);
  }
  const look = say("look", { contextId: "c", referenceTaskIds: [...ids, "missing"] });
  await runtime.service.sendMessage(look, ann);
  expect(seen).toEqual([["one", "two", "elsewhere"], ["two", "one"], ["two"]]);
});

it("a handler that goes on without its answer is not dropped, even if a step ends before it has a slot", async () => {
  const [slot, stepEnd, patience, work] = [0, 1, 2, 3].map(() => createDeferred<void>());
  await using runtime = await openTestRuntime({
    settings: { maxConcurrentRuns: 1, suspendForMs: 5000 },
    run: async function* ({ text, step, ask }) {
      if (text === "other") {
        await slot?.promise;
        return;
      }
      const beside = step("beside", async () => {
        await stepEnd?.promise;
        return "done";
      });
      await Promise.race([ask("Which?").catch(() => undefined), patience?.promise]);
      yield "gone on, ";
      await work?.promise;
      yield await beside;
    },
  });
  const { id } = await converse(runtime, "go");
  const other = runtime.service.sendMessage(say("other"), call());
  await settle();
  patience?.resolve();
  await settle();
  stepEnd?.resolve();
  await settle();
  slot?.resolve();
  await other;
  await runtime.clock.advance(6000);
  work?.resolve();
  await until(async () => stateOf(await runtime.service.getTask({ id }, call())) !== "working");
  const task = await runtime.service.getTask({ id }, call());
  expect([stateOf(task), artifactText(task)]).toEqual(["completed", "gone on, done"]);
  expect(runtime.watched).toBe(0);
});
