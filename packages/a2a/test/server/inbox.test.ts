import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textOf } from "../../src/server/internal.js";
import { createDeferred } from "../support/time/deferred.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import { artifactText, stateOf, taskOf, textIn } from "../support/runtime/answers.js";
import { settle, until } from "../support/time/until.js";
import { rounds } from "../support/rounds.js";

describe("a message for a task that is worked on", () => {
  it("goes to the run at work, in order", async () => {
    await using runtime = await openTestRuntime({
      run: async function* ({ nextMessage }) {
        yield "listening ";
        yield `${textOf(await nextMessage())} `;
        const both = await Promise.all([nextMessage(), nextMessage()]);
        yield both.map(textOf).join(" ");
      },
    });
    const { id: taskId } = taskOf(await runtime.service.sendMessage(sayAndLeave("go"), call()));
    const answers = ["a", "b", "c"].map((text) =>
      runtime.service.sendMessage(say(text, { taskId }), call()),
    );
    const tasks = (await Promise.all(answers)).map(taskOf);
    expect(tasks.map((task) => artifactText(task))).toEqual([
      "listening a b c",
      "listening a b c",
      "listening a b c",
    ]);
    expect(tasks[0]?.history?.map(({ parts }) => textIn(parts))).toEqual(["go", "a", "b", "c"]);
  });

  it("is given again to a run that starts again, and is not taken twice", async () => {
    let taken = 0;
    await using runtime = await openTestRuntime({
      run: async ({ nextMessage, step, ask }) => {
        const first = textOf(await nextMessage());
        await step("count", () => (taken += 1));
        const second = textOf(await ask("and?"));
        return `${first} ${second}`;
      },
    });
    const { id: taskId } = await makeTask(runtime);
    await runtime.service.sendMessage(say("a", { taskId }), call());
    const done = taskOf(await runtime.service.sendMessage(say("b", { taskId }), call()));
    expect(artifactText(done)).toBe("a b");
    expect(taken).toBe(1);
  });

  it("starts the next run when the one at work ends without it", async () => {
    const gate = createDeferred<void>();
    let atWork = 0;
    let most = 0;
    await using runtime = await openTestRuntime({
      run: async function* ({ text, history }) {
        most = Math.max(most, (atWork += 1));
        yield `${text} after ${history.map(textOf).join(",")}`;
        await gate.promise;
        atWork -= 1;
      },
    });
    const { id: taskId } = taskOf(await runtime.service.sendMessage(sayAndLeave("a"), call()));
    const later = ["b", "c"].map((text) =>
      runtime.service.sendMessage(say(text, { taskId }), call()),
    );
    await settle();
    gate.resolve();
    const [task] = (await Promise.all(later)).map(taskOf);
    expect(task && stateOf(task)).toBe("completed");
    expect(task?.artifacts?.map(({ parts }) => textIn(parts))).toEqual([
      "a after ",
      "b after a",
      "c after a,b",
    ]);
    expect(most).toBe(1);
    expect(runtime.watched).toBe(0);
  });

  it("takes precedence over a question that the run at work ends with", async () => {
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async ({ text, step }) => {
        await step("begin", () => text);
        if (text === "b") return "done";
        await gate.promise;
        return { inputRequired: "and now?" };
      },
    });
    const { id: taskId } = await makeTask(runtime, "a");
    const answer = runtime.service.sendMessage(say("b", { taskId }), call());
    await settle();
    gate.resolve();
    expect(artifactText(taskOf(await answer), "answer-2")).toBe("done");
  });

  it("is not the one before it, though it has the same id", async () => {
    await using runtime = await openTestRuntime({
      run: async function* ({ text, nextMessage }) {
        yield text;
        if (text === "go") yield `, ${textOf(await nextMessage())}`;
      },
    });
    const { id: taskId } = taskOf(
      await runtime.service.sendMessage(sayAndLeave("go", { messageId: "m" }), call()),
    );
    const same = (text: string) => say(text, { taskId, messageId: "m" });
    await Promise.all([
      runtime.service.sendMessage(same("one"), call()),
      runtime.service.sendMessage(same("two"), call()),
    ]);
    const task = await runtime.service.getTask({ id: taskId }, call());
    expect(task.artifacts?.map(({ parts }) => textIn(parts))).toEqual(["go, one", "two"]);
  });

  it("goes to the next wait when the one before it was called off", async () => {
    const calledOff = createDeferred<unknown>();
    await using runtime = await openTestRuntime({
      run: async function* ({ nextMessage }) {
        const wait = new AbortController();
        const first = nextMessage({ signal: wait.signal });
        const second = nextMessage();
        yield "waiting ";
        wait.abort("enough");
        calledOff.resolve(await first.catch((reason: unknown) => reason));
        yield textOf(await second);
        const late = await nextMessage({ signal: wait.signal }).then(textOf, () => " late");
        yield late;
      },
    });
    const { id: taskId } = await makeTask(runtime);
    expect(await calledOff.promise).toBe("enough");
    const task = taskOf(await runtime.service.sendMessage(say("a", { taskId }), call()));
    expect(artifactText(task)).toBe("waiting a late");
  });

  it("is given again by its number to a run that starts again, not counting waits that were called off", async () => {
    let begun = 0;
    await using runtime = await openTestRuntime({
      run: async ({ nextMessage, ask, step }) => {
        if ((begun += 1) === 1) {
          const wait = new AbortController();
          const off = nextMessage({ signal: wait.signal }).catch(() => undefined);
          wait.abort();
          await off;
        }
        const first = textOf(await nextMessage());
        await step("first", () => first);
        const second = textOf(await ask("and?"));
        return `${first} ${second}`;
      },
      settings: { maxSuspended: 0 },
    });
    const { id: taskId } = await makeTask(runtime);
    await runtime.service.sendMessage(say("a", { taskId }), call());
    const done = taskOf(await runtime.service.sendMessage(say("b", { taskId }), call()));
    expect([artifactText(done), begun]).toEqual(["a b", 2]);
  });

  it("lets a handler that waits for it no longer rest at a question", async () => {
    await using runtime = await openTestRuntime({
      run: async ({ nextMessage, ask }) => {
        const wait = new AbortController();
        const off = nextMessage({ signal: wait.signal }).then(textOf, () => "off");
        wait.abort();
        return `${await off} ${textOf(await ask("and?"))}`;
      },
    });
    const { id: taskId } = await makeTask(runtime);
    await until(
      async () =>
        stateOf(await runtime.service.getTask({ id: taskId }, call())) === "input_required",
      "the question",
    );
    const done = taskOf(await runtime.service.sendMessage(say("b", { taskId }), call()));
    expect(artifactText(done)).toBe("off b");
  });

  it("is refused to a handler that gives another signal", async () => {
    await using runtime = await openTestRuntime({
      run: ({ nextMessage }) => nextMessage({ signal: 5 as unknown as AbortSignal }).then(textOf),
    });
    const task = taskOf(await runtime.service.sendMessage(say("go"), call()));
    expect(stateOf(task)).toBe("failed");
    expect(JSON.stringify(runtime.reports.map(({ error }) => String(error)))).toContain(
      "nextMessage(): signal is 5; expected an AbortSignal",
    );
  });

  it("is waited for until the task is canceled", async () => {
    let cleanUps = 0;
    await using runtime = await openTestRuntime({
      run: async ({ nextMessage }) => {
        try {
          await nextMessage();
        } finally {
          cleanUps += 1;
        }
      },
    });
    const { id } = await makeTask(runtime);
    expect(stateOf(await runtime.service.cancelTask({ id }, call()))).toBe("canceled");
    expect(cleanUps).toBe(1);
  });
});

it("no message is ever lost or dealt with twice, and never are two handlers at work", async () => {
  const how = fc.record({
    /** What a run does with a message: whether it says something, takes up to two more, and how it ends. */
    says: fc.boolean(),
    takes: fc.nat(2),
    ends: fc.constantFrom("done", "asks", "wants more"),
    turns: fc.nat(3),
  });
  const arrivals = fc.array(fc.record({ turns: fc.nat(3), waits: fc.boolean() }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(
      fc.array(how, { minLength: 1, maxLength: 6 }),
      arrivals,
      async (plan, sent) => {
        let atWork = 0;
        let runs = 0;
        const dealtWith = new Map<string, string>();
        const deal = (text: string, how: string): void => {
          expect(dealtWith.get(text) ?? how).toBe(how);
          dealtWith.set(text, how);
        };
        await using runtime = await openTestRuntime({
          run: async function* ({ text, nextMessage, ask, step, signal }) {
            expect((atWork += 1)).toBe(1);
            try {
              const run = await step("run", () => (runs += 1));
              const { says, takes, ends, turns } = plan[run % plan.length] ?? {};
              deal(text, `run ${run}`);
              if (says === true) yield text;
              for (let turn = 0; turn < (turns ?? 0); turn += 1) await settle();
              for (let count = 0; count < (takes ?? 0) && run === 1; count += 1) {
                // A message that comes later, while nobody waits for it here any more, is taken all the same.
                const next = nextMessage().then((taken) => deal(textOf(taken), `taken by ${run}`));
                next.catch(() => undefined);
                await Promise.race([next, settle()]);
              }
              if (ends === "asks") {
                atWork -= 1;
                const answer = await ask("?");
                atWork += 1;
                deal(textOf(answer), `answers ${run}`);
              }
              return ends === "wants more" ? { inputRequired: "more?" } : undefined;
            } finally {
              if (!signal.aborted) atWork -= 1;
            }
          },
        });
        const { id: taskId } = await makeTask(runtime, "first");
        const accepted = ["first"];
        const sends: Promise<unknown>[] = [];
        for (const [index, { turns, waits }] of sent.entries()) {
          for (let turn = 0; turn < turns; turn += 1) await settle();
          const text = `message ${index}`;
          const request = waits ? say(text, { taskId }) : sayAndLeave(text, { taskId });
          sends.push(
            runtime.service.sendMessage(request, call()).then(
              () => accepted.push(text),
              () => undefined,
            ),
          );
        }
        await Promise.all(sends);
        const rest = async () => {
          const get = () => runtime.service.getTask({ id: taskId }, call());
          await until(async () => stateOf(await get()) !== "working", "the task to rest");
          return get();
        };
        // What came before a question is not its answer; it is dealt with when the task goes on.
        let task = await rest();
        const missing = () => accepted.filter((text) => !dealtWith.has(text));
        for (let count = 0; missing().length > 0 && stateOf(task) !== "completed"; count += 1) {
          const text = `answer ${count}`;
          accepted.push(text);
          await runtime.service.sendMessage(say(text, { taskId }), call());
          task = await rest();
        }
        expect(missing()).toEqual([]);
        const history = (task.history ?? []).filter(({ role }) => role === "ROLE_USER").map(textOf);
        expect(history.toSorted()).toEqual(accepted.toSorted());
        expect(runtime.reports).toEqual([]);
      },
    ),
    { numRuns: rounds(60) },
  );
});

async function makeTask(
  { service }: { service: Awaited<ReturnType<typeof openTestRuntime>>["service"] },
  text = "go",
) {
  return taskOf(await service.sendMessage(sayAndLeave(text), call()));
}
