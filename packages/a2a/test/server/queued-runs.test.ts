import { describe, expect, it } from "vitest";
import type { Handler } from "../../src/server/index.js";
import { createDeferred } from "../support/time/deferred.js";
import { callBy, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../support/runtime/open-test-runtime.js";
import { artifactText, refusal, stateOf, taskOf, textIn } from "../support/runtime/answers.js";
import { settle, until } from "../support/time/until.js";

const [ann, bob] = [callBy("ann"), callBy("bob")];
const one = { maxConcurrentRuns: 1, maxConcurrentReplies: 1 };

/** A runtime with one slot for tasks, which is taken until the gate opens. */
async function openTaken(run: Handler) {
  const gate = createDeferred<void>();
  const runtime = await openTestRuntime({
    run: async function* (context) {
      if (context.text !== "first") {
        const result = run(context);
        if (typeof result === "object" && result !== null && "next" in result) return yield* result;
        return result;
      }
      yield "x";
      await gate.promise;
      return undefined;
    },
    settings: one,
  });
  const first = await runtime.service.sendMessage(sayAndLeave("first"), ann);
  return { runtime, gate, firstId: taskOf(first).id };
}

async function begin({ service, clock }: TestRuntime, text: string): Promise<string> {
  const sent = service.sendMessage(sayAndLeave(text), bob);
  await clock.advance(50);
  return taskOf(await sent).id;
}

describe("a run that becomes a task while all task slots are taken", () => {
  const said: string[] = [];
  const talking: Handler = async function* () {
    for (const words of ["a", "b", "c"]) {
      said.push(words);
      yield words;
    }
  };

  it("stands still after its first output, leaves its slot to questions, and goes on in its turn", async () => {
    said.length = 0;
    const { runtime, gate } = await openTaken(talking);
    await using _ = runtime;
    const id = await begin(runtime, "talk");
    await settle();
    expect(said).toEqual(["a"]);
    expect(artifactText(await runtime.service.getTask({ id }, bob))).toBe("a");
    const { replies, waiting } = runtime.service.figures().runs;
    expect([replies.working, waiting]).toEqual([0, 1]);
    gate.resolve();
    await until(async () => stateOf(await runtime.service.getTask({ id }, bob)) === "completed");
    expect(said).toEqual(["a", "b", "c"]);
    expect(runtime.service.figures().runs).toMatchObject({ tasks: { working: 0 }, waiting: 0 });
  });

  it("can be canceled meanwhile", async () => {
    const { runtime } = await openTaken(talking);
    await using _ = runtime;
    const id = await begin(runtime, "talk");
    await settle();
    expect(stateOf(await runtime.service.cancelTask({ id }, bob))).toBe("canceled");
    await settle();
    expect(runtime.service.figures().runs.waiting).toBe(0);
  });

  it("begins no step before its turn", async () => {
    let steps = 0;
    const { runtime, gate } = await openTaken(async ({ step }) => {
      for (const name of ["a", "b"]) await step(name, () => (steps += 1));
      return "done";
    });
    await using _ = runtime;
    const id = await begin(runtime, "work");
    await settle();
    expect(steps).toBe(0);
    gate.resolve();
    await until(async () => stateOf(await runtime.service.getTask({ id }, bob)) === "completed");
    expect(steps).toBe(2);
  });

  it("may ask, for which it needs no slot", async () => {
    const { runtime } = await openTaken(async ({ ask }) => textIn((await ask("?")).parts));
    await using _ = runtime;
    const task = taskOf(await runtime.service.sendMessage(say("ask"), bob));
    expect(stateOf(task)).toBe("input_required");
    expect(runtime.service.figures().runs).toMatchObject({ replies: { working: 0 }, waiting: 0 });
  });

  it("is left to other nodes when its node stops", async () => {
    const { runtime } = await openTaken(talking);
    const id = await begin(runtime, "talk");
    await settle();
    const closing = runtime.service.close();
    await runtime.clock.advance(10_000);
    await closing;
    expect((await runtime.store.loadRecord(id))?.state).toBe("TASK_STATE_WORKING");
    expect(runtime.watched).toBe(0);
  });
});

describe("a run that waits for its turn too long", () => {
  it("is refused with when to try again, is not stored, and never begins", async () => {
    const begun: string[] = [];
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async ({ text }) => {
        begun.push(text);
        await gate.promise;
        return text;
      },
      settings: one,
    });
    const held = runtime.service.sendMessage(say("held"), ann);
    await settle();
    const waiting = refusal(runtime.service.sendMessage(say("waiting"), bob));
    await runtime.clock.advance(29_999);
    expect(runtime.service.figures().runs.waiting).toBe(1);
    await runtime.clock.advance(1);
    const { code, details } = await waiting;
    expect([code, details.retryAfterSeconds]).toEqual(["RESOURCE_EXHAUSTED", 5]);
    expect(runtime.service.figures().runs.waiting).toBe(0);
    gate.resolve();
    await held;
    await settle();
    expect(begun).toEqual(["held"]);
    expect((await runtime.service.listTasks({}, bob)).totalSize).toBe(0);
    expect(runtime.reports).toEqual([]);
  });

  it("waits on if it goes on with an answer that was accepted", async () => {
    const gate = createDeferred<void>();
    await using runtime = await openTestRuntime({
      run: async function* ({ text, ask }) {
        if (text === "ask") return textIn((await ask("?")).parts);
        yield "x";
        await gate.promise;
        return undefined;
      },
      settings: { ...one, maxSuspended: 0 },
    });
    const { id: taskId } = taskOf(await runtime.service.sendMessage(say("ask"), bob));
    const held = runtime.service.sendMessage(say("held"), ann);
    await settle();
    const answered = runtime.service.sendMessage(say("yes", { taskId }), bob);
    await runtime.clock.advance(60_000);
    expect(runtime.service.figures().runs.waiting).toBe(1);
    gate.resolve();
    await held;
    expect(artifactText(taskOf(await answered))).toBe("yes");
  });
});
