import { expect, it } from "vitest";
import type { CallContext, SendMessageConfiguration } from "../../src/protocol/internal.js";
import type { Handler } from "../../src/server/index.js";
import { taskOf } from "../support/runtime/answers.js";
import { call, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";
import { createGate } from "../support/time/gate.js";

type Wait = Pick<SendMessageConfiguration, "returnImmediately">;

/** Opens a runtime whose agent waits for a gate, sends it a message, and lets time pass. */
async function waitFor(
  run: (opened: Promise<void>) => Handler,
  by: CallContext,
  configuration?: Wait,
) {
  const gate = createGate();
  const runtime = await openTestRuntime({ run: run(gate.opened), settings: { maxWaitMs: 20_000 } });
  let isAnswered = false;
  const request = say(
    "go",
    by.version === "0.1" ? { taskId: "t1" } : {},
    configuration && { configuration },
  );
  const sent = runtime.service.sendMessage(request, by);
  const answered = (): void => void (isAnswered = true);
  sent.then(answered, answered);
  const isAnsweredAfter = async (ms: number): Promise<boolean> => {
    await runtime.clock.advance(ms);
    return isAnswered;
  };
  return { runtime, sent, gate, isAnsweredAfter };
}

const telling = (opened: Promise<void>): Handler =>
  async function* () {
    yield { status: "begun" };
    await opened;
  };

/** Says nothing before it is over, so that it has no task until its caller must have one. */
const silent =
  (opened: Promise<void>): Handler =>
  async () => {
    await opened;
    return "done";
  };

it.each([
  ["0.1", telling],
  ["0.2", telling],
  ["0.3", telling],
  ["0.1", silent],
  ["0.3", silent],
] as const)(
  "a caller of %s that does not say whether it waits gets the task that works",
  async (version, run) => {
    const { runtime, sent, gate, isAnsweredAfter } = await waitFor(run, call({ version }));
    await using _ = runtime;
    expect(await isAnsweredAfter(19_999)).toBe(false);
    expect(await isAnsweredAfter(1)).toBe(true);
    const task = taskOf(await sent);
    expect(task.status.state).toBe("TASK_STATE_WORKING");
    gate.open();
    const read = () => runtime.service.getTask({ id: task.id }, call({ version }));
    await expect.poll(async () => (await read()).status.state).toBe("TASK_STATE_COMPLETED");
  },
);

it.each<[string, CallContext, Wait?]>([
  ["of 1.0", call()],
  ["of 1.0 that waits", call(), { returnImmediately: false }],
  ["of 0.3 that waits", call({ version: "0.3" }), { returnImmediately: false }],
])("a caller %s waits until the task is over", async (_, by, configuration) => {
  const { runtime, sent, gate, isAnsweredAfter } = await waitFor(telling, by, configuration);
  await using __ = runtime;
  expect(await isAnsweredAfter(120_000)).toBe(false);
  gate.open();
  expect(taskOf(await sent).status.state).toBe("TASK_STATE_COMPLETED");
});

it("a message to a task that works on is answered after the same time", async () => {
  const { runtime, sent, isAnsweredAfter } = await waitFor(telling, call({ version: "0.3" }));
  await using _ = runtime;
  await isAnsweredAfter(20_000);
  const { id: taskId } = taskOf(await sent);
  let isAnswered = false;
  const more = runtime.service.sendMessage(say("more", { taskId }), call({ version: "0.3" }));
  void more.finally(() => (isAnswered = true));
  await runtime.clock.advance(19_999);
  expect(isAnswered).toBe(false);
  await runtime.clock.advance(1);
  expect(taskOf(await more)).toMatchObject({ id: taskId, status: { state: "TASK_STATE_WORKING" } });
});

it("a caller that gets its answer earlier does not wait", async () => {
  const { runtime, sent, gate } = await waitFor(silent, call({ version: "0.3" }));
  await using _ = runtime;
  gate.open();
  expect((await sent).message?.parts).toEqual([{ text: "done" }]);
});

it("a caller that leaves is told that its work goes on", async () => {
  const leaving = new AbortController();
  const by = call({ version: "0.3", signal: leaving.signal });
  const { runtime, sent, isAnsweredAfter } = await waitFor(telling, by);
  await using _ = runtime;
  await isAnsweredAfter(10_000);
  leaving.abort();
  await expect(sent).rejects.toMatchObject({ code: "UNAVAILABLE" });
});

it("waits for 30 seconds unless it is set", async () => {
  const gate = createGate();
  await using runtime = await openTestRuntime({ run: telling(gate.opened) });
  let isAnswered = false;
  const sent = runtime.service.sendMessage(say("go"), call({ version: "0.3" }));
  void sent.finally(() => (isAnswered = true));
  await runtime.clock.advance(29_999);
  expect(isAnswered).toBe(false);
  await runtime.clock.advance(1);
  expect(taskOf(await sent).status.state).toBe("TASK_STATE_WORKING");
});
