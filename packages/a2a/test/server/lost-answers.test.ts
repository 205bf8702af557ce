import { describe, expect, it } from "vitest";
import { createDeferred } from "../../src/async/internal.js";
import { createInProcessBus } from "../../src/bus/index.js";
import type { Handler } from "../../src/server/index.js";
import { textOf } from "../../src/server/internal.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { intercept } from "../support/runtime/intercept.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../support/runtime/open-test-runtime.js";
import { artifactText, stateOf, taskOf } from "../support/runtime/answers.js";
import { loseAnswers } from "../support/runtime/lose-answers.js";
import { watchInBackground } from "../support/streams.js";
import { settle, until } from "../support/time/until.js";

const leaseMs = 12_000;

function createCluster({ durable = true } = {}) {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  const bus = createInProcessBus();
  const open = (run: Handler): Promise<TestRuntime> =>
    openTestRuntime({ run, store, clock, bus, durable, settings: { leaseMs } });
  return { store, clock, open };
}

const never = (): Promise<never> => new Promise(() => undefined);

const hangs: Handler = async function* () {
  yield "begun ";
  await never();
};

const ends: Handler = async function* () {
  yield "begun ";
  yield "done";
};

async function begin({ service }: TestRuntime): Promise<string> {
  return taskOf(await service.sendMessage(sayAndLeave("go"), call())).id;
}

const stateAt = async ({ service }: TestRuntime, id: string): Promise<string> =>
  stateOf(await service.getTask({ id }, call()));

describe("an answer that is lost, of a claim that was applied, leaves no task behind:", () => {
  it.each([
    [true, "completed"],
    [false, "failed"],
  ])("the claim of abandoned tasks (durable: %s)", async (durable, state) => {
    const cluster = createCluster({ durable });
    const dies = await cluster.open(hangs);
    await using lives = await cluster.open(ends);
    const ids = [await begin(dies), await begin(dies)];
    dies.freeze();
    const lost = loseAnswers(cluster.store, "claimAbandoned", (claimed) => claimed.length > 0);
    await until(async () => {
      await cluster.clock.advance(leaseMs / 4);
      return lost.count === 1;
    }, "a claim");
    expect(await Promise.all(ids.map((id) => stateAt(lives, id)))).toEqual(["working", "working"]);
    await cluster.clock.advance(leaseMs);
    expect(await Promise.all(ids.map((id) => stateAt(lives, id)))).toEqual([state, state]);
    expect(lives.watched).toBe(0);
  });

  it("the same when callers keep sending messages to the task", async () => {
    const cluster = createCluster();
    const dies = await cluster.open(hangs);
    await using lives = await cluster.open(ends);
    const taskId = await begin(dies);
    dies.freeze();
    const lost = loseAnswers(cluster.store, "claimAbandoned", (claimed) => claimed.length > 0);
    await until(async () => {
      await cluster.clock.advance(leaseMs / 4);
      return lost.count === 1;
    }, "a claim");
    for (let beat = 0; beat < 4; beat += 1) {
      await cluster.clock.advance(leaseMs / 4);
      const sent = lives.service.sendMessage(sayAndLeave("more", { taskId }), call());
      await sent.catch(() => undefined);
    }
    await settle();
    expect(await stateAt(lives, taskId)).toBe("completed");
  });

  it("the claim of a task that was lost before", async () => {
    const cluster = createCluster();
    let isHanging = true;
    let appends = 0;
    await using node = await cluster.open(async function* () {
      yield "a";
      // Both in one append would leave none to fail.
      if (isHanging) await until(() => appends > 0, "the first append");
      yield "b";
    });
    // The store fails in the middle of the run, so the task is claimed again, twice.
    const mend = intercept(cluster.store, "append", () => {
      appends += 1;
      if (appends === 2) throw new Error("the disk is full");
    });
    const id = await begin(node);
    await until(() => node.reports.length > 0, "the store to fail");
    mend();
    isHanging = false;
    const lost = loseAnswers(cluster.store, "claim", (epoch) => epoch !== undefined);
    await cluster.clock.advance(leaseMs / 4);
    expect(lost.count).toBe(1);
    await cluster.clock.advance(leaseMs / 4);
    expect(artifactText(await node.service.getTask({ id }, call()))).toBe("ab");
  });

  it.each(["the node that cancels", "another node"])(
    "the claim of a task to cancel whose deaf run is on %s",
    async (where) => {
      const cluster = createCluster();
      await using one = await cluster.open(hangs);
      await using two = await cluster.open(hangs);
      const id = await begin(where === "another node" ? two : one);
      const lost = loseAnswers(cluster.store, "claim", (epoch) => epoch !== undefined);
      const canceling = one.service.cancelTask({ id }, call()).catch(() => "unknown");
      await cluster.clock.advance(5000);
      expect(await canceling).toBe("unknown");
      expect(lost.count).toBe(1);
      await cluster.clock.advance(leaseMs);
      expect(await stateAt(one, id)).toBe("canceled");
    },
  );

  it("the claim of a task that waits, for an answer to it", async () => {
    const cluster = createCluster();
    const run: Handler = async ({ ask }) => textOf(await ask("?"));
    const dies = await cluster.open(run);
    await using lives = await cluster.open(run);
    const { id: taskId } = taskOf(await dies.service.sendMessage(say("go"), call()));
    dies.freeze();
    await cluster.clock.advance(leaseMs);
    const lost = loseAnswers(cluster.store, "claim", (epoch) => epoch !== undefined);
    await expect(lives.service.sendMessage(say("lost", { taskId }), call())).rejects.toThrow();
    expect(lost.count).toBe(1);
    const task = taskOf(await lives.service.sendMessage(say("yes", { taskId }), call()));
    expect([stateOf(task), artifactText(task)]).toEqual(["completed", "yes"]);
  });

  it("the claim of a task whose answer nobody took up", async () => {
    const cluster = createCluster();
    const run: Handler = async ({ ask }) => textOf(await ask("?"));
    const dies = await cluster.open(run);
    await using lives = await cluster.open(run);
    const { id: taskId } = taskOf(await dies.service.sendMessage(say("go"), call()));
    dies.freeze();
    const lost = loseAnswers(cluster.store, "claim", (epoch) => epoch !== undefined);
    // The node that holds the handler counts as alive, so the answer is left to it first.
    const sent = lives.service.sendMessage(sayAndLeave("yes", { taskId }), call());
    await sent;
    await cluster.clock.advance(3000);
    expect(lost.count).toBe(1);
    await cluster.clock.advance(leaseMs / 2);
    expect(await stateAt(lives, taskId)).toBe("completed");
  });

  it("the claim of a task that has waited too long", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    await using node = await openTestRuntime({
      store,
      clock,
      run: async ({ ask }) => textOf(await ask("?")),
      settings: { leaseMs, waitingRetentionMs: 60_000 },
    });
    const { id } = taskOf(await node.service.sendMessage(say("go"), call()));
    const lost = loseAnswers(store, "claim", (epoch) => epoch !== undefined);
    await clock.advance(60_000 + leaseMs / 4);
    expect(lost.count).toBe(1);
    await clock.advance(leaseMs / 4);
    expect(await stateAt(node, id)).toBe("failed");
  });
});

it("a watcher that found a task before its node knew it stored sees all of it, although the answer is lost", async () => {
  const cluster = createCluster();
  let runs = 0;
  await using node = await cluster.open(async function* () {
    runs += 1;
    yield "begun";
    // All in one append would leave nothing to watch.
    if (runs === 1) await never();
  });
  const answer = createDeferred<void>();
  const { store } = cluster;
  const append = store.append.bind(store);
  let id = "";
  store.append = async (first) => {
    store.append = append;
    await append(first);
    id = first.taskId;
    await answer.promise;
    throw new Error("the connection was lost");
  };
  const sent = node.service.sendMessage(sayAndLeave("go"), call()).catch(() => "unknown");
  await until(() => id !== "", "the task to be stored");
  const watch = (by = call()) => watchInBackground(node.service.subscribeToTask({ id }, by));
  const [resumed, begun] = [watch(call({ resumeAfter: 0 })), watch()];
  await settle();
  expect([resumed.events, begun.events]).toEqual([[], []]);
  answer.resolve();
  expect(await sent).toBe("unknown");
  await cluster.clock.advance(leaseMs);
  await Promise.all([resumed.done, begun.done]);
  expect(resumed.events[0]?.response.task?.status.state).toBe("TASK_STATE_SUBMITTED");
  for (const { events } of [resumed, begun])
    expect(events.at(-1)?.response.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  expect(node.watched).toBe(0);
});

it("a claim that was not applied, and whose answer was lost, takes no task from its run", async () => {
  const cluster = createCluster({ durable: false });
  let isAborted = false;
  await using node = await cluster.open(async function* ({ signal }) {
    signal.addEventListener("abort", () => (isAborted = true));
    yield "a";
    await never();
  });
  const id = await begin(node);
  const mend = intercept(cluster.store, "claim", () => {
    throw new Error("the connection is lost");
  });
  const canceling = node.service.cancelTask({ id }, call()).catch(() => "unknown");
  await cluster.clock.advance(5000);
  expect(await canceling).toBe("unknown");
  mend();
  await cluster.clock.advance(2 * leaseMs);
  // The run was asked to stop and is deaf; nobody else ended its task.
  expect([isAborted, await stateAt(node, id)]).toEqual([true, "working"]);
  expect((await cluster.store.loadRecord(id))?.epoch).toBe(1);
});
