import fc from "fast-check";
import { expect, it } from "vitest";
import { createInProcessBus } from "../../src/bus/index.js";
import { isSettled } from "../../src/protocol/internal.js";
import type { CallContext, StreamEvent } from "../../src/protocol/internal.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { checkLog } from "./check-log.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../support/runtime/open-test-runtime.js";
import { createScriptedAgent, endings, letters } from "./scripted-agent.js";
import { settle, until } from "../support/time/until.js";
import { watchInBackground } from "../support/streams.js";
import type { Watching } from "../support/streams.js";
import { rounds } from "../support/rounds.js";

const leaseMs = 4000;
const cancelGraceMs = 2000;

const script = fc
  .tuple(fc.array(fc.constantFrom(...letters), { maxLength: 5 }), fc.constantFrom(...endings))
  .map(([does, ends]) => `${does.join("")}${ends} `);
const node = fc.nat(1);
const task = fc.nat(9);

/** Everything that can happen to two nodes over one store. */
const action = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("begin" as const), node, script, how: fc.nat(2) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("send" as const), node, task, script, how: fc.nat(2) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("cancel" as const), node, task }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("subscribe" as const), node, task, from: fc.nat(12) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("crash" as const), node }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("pause" as const), node, ms: fc.nat(6000) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.nat(1500) }) },
);

/** A subscriber, and after which place it is to be told everything. */
interface Subscriber {
  readonly watching: Watching;
  readonly resumedAfter: number | undefined;
  readonly endsAtQuestion: boolean;
}

/** A run asks while another node is about to take its task over. */
const asksWhileTaken = {
  actions: [
    { do: "wait", ms: 528 },
    { do: "wait", ms: 472 },
    { do: "begin", node: 0, script: "q ", how: 0 },
    { do: "pause", node: 0, ms: 4000 },
    { do: "wait", ms: 0 },
    { do: "send", node: 0, task: 0, script: " ", how: 0 },
    { do: "send", node: 0, task: 0, script: " ", how: 0 },
    { do: "pause", node: 0, ms: 0 },
  ],
  seed: 832_146,
  hasBus: false,
} satisfies Parameters<typeof play>[0];

/** A task is taken over between the moment a node claims it and the moment its run begins. */
const takenAsItBegins = {
  actions: [
    { do: "wait", ms: 398 },
    { do: "begin", node: 0, script: "nqhs ", how: 0 },
    { do: "cancel", node: 0, task: 1 },
    { do: "send", node: 1, task: 6, script: "i ", how: 1 },
    { do: "send", node: 0, task: 3, script: "twi ", how: 1 },
    { do: "wait", ms: 1145 },
    { do: "begin", node: 0, script: "qwhf ", how: 0 },
    { do: "send", node: 0, task: 9, script: "r ", how: 1 },
    { do: "pause", node: 1, ms: 2353 },
    { do: "send", node: 1, task: 9, script: "f ", how: 0 },
  ],
  seed: 3874,
  hasBus: false,
} satisfies Parameters<typeof play>[0];

/** A watcher resumes a task whose first append is in the store, while its node still waits for the answer. */
const resumedAsItBegins = {
  actions: [
    { do: "pause", node: 0, ms: 2000 },
    { do: "begin", node: 1, script: " ", how: 0 },
    { do: "subscribe", node: 1, task: 0, from: 1 },
    { do: "send", node: 0, task: 0, script: " ", how: 0 },
  ],
  seed: 288_702,
  hasBus: false,
} satisfies Parameters<typeof play>[0];

it("whatever happens, tasks end as they may, subscribers see the log, and no message is lost", async () => {
  const shape = fc.record({
    actions: fc.array(action, { minLength: 4, maxLength: 25 }),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
    hasBus: fc.boolean(),
  });
  await fc.assert(fc.asyncProperty(shape, play), {
    numRuns: rounds(30),
    examples: [[asksWhileTaken], [takenAsItBegins], [resumedAsItBegins]],
    // A failure is told before the test is over, however far it has been shrunk by then.
    interruptAfterTimeLimit: 50_000,
  });
});

async function play(plan: {
  readonly actions: readonly (typeof action extends fc.Arbitrary<infer T> ? T : never)[];
  readonly seed: number;
  readonly hasBus: boolean;
}): Promise<void> {
  // The store takes timers of the system to answer.
  const clock = createTestClock(undefined, settle);
  const store = { ...createMemoryStore({ clock }), isShared: !plan.hasBus };
  const bus = createInProcessBus();
  const agent = createScriptedAgent();
  const latency = createLatency(plan.seed);
  const opened: TestRuntime[] = [];
  const names: string[] = [];
  const open = async (): Promise<TestRuntime> => {
    const name = `node ${opened.length}`;
    const runtime = await openTestRuntime({
      run: agent.run(name),
      durable: true,
      store,
      clock,
      latency,
      bus: plan.hasBus ? bus : createInProcessBus(),
      settings: { leaseMs, cancelGraceMs },
    });
    opened.push(runtime);
    names.push(name);
    return runtime;
  };
  const nodes: [TestRuntime, TestRuntime] = [await open(), await open()];
  const at = (index: number): TestRuntime => nodes[index === 0 ? 0 : 1];
  const accepted = new Set<string>();
  const refused = new Set<string>();
  const canceled = new Set<string>();
  const subscribers: (Subscriber & { readonly id: () => string })[] = [];
  const underWay: Promise<unknown>[] = [];

  const send = (
    runtime: TestRuntime,
    text: string,
    taskId: string | undefined,
    how: number,
  ): void => {
    const members = taskId === undefined ? {} : { taskId };
    const request = how === 1 ? sayAndLeave(text, members) : say(text, members);
    const { messageId } = request.message;
    if (how < 2) {
      underWay.push(
        runtime.service.sendMessage(request, call()).then(
          ({ task: made }) => made !== undefined && accepted.add(messageId),
          ({ code }: { code: string }) => code !== "UNAVAILABLE" && refused.add(messageId),
        ),
      );
      return;
    }
    const watching = watchInBackground(runtime.service.sendStreamingMessage(request, call()));
    const id = (): string => watching.events[0]?.response.task?.id ?? "";
    subscribers.push({ watching, id, resumedAfter: undefined, endsAtQuestion: true });
    underWay.push(watching.done.catch(() => undefined));
  };

  for (const step of plan.actions) {
    const { tasks } = await store.list({ agent: "Tested", limit: 1000 });
    const chosen = "task" in step ? tasks[step.task % tasks.length]?.record.taskId : undefined;
    switch (step.do) {
      case "begin":
        send(at(step.node), step.script, undefined, step.how);
        break;
      case "send":
        if (chosen !== undefined) send(at(step.node), step.script, chosen, step.how);
        break;
      case "cancel":
        if (chosen === undefined) break;
        canceled.add(chosen);
        underWay.push(
          at(step.node)
            .service.cancelTask({ id: chosen }, call())
            .catch(() => undefined),
        );
        break;
      case "subscribe": {
        if (chosen === undefined) break;
        const resumedAfter = step.from === 0 ? undefined : step.from - 1;
        const by: CallContext = call(
          resumedAfter === undefined ? {} : { resumeAfter: resumedAfter },
        );
        const watching = watchInBackground(
          at(step.node).service.subscribeToTask({ id: chosen }, by),
        );
        subscribers.push({ watching, resumedAfter, endsAtQuestion: false, id: () => chosen });
        break;
      }
      case "crash": {
        const dead = at(step.node);
        dead.freeze();
        agent.holdUp(names[opened.indexOf(dead)] ?? "");
        nodes[step.node === 0 ? 0 : 1] = await open();
        break;
      }
      case "pause": {
        const paused = at(step.node);
        paused.freeze();
        agent.holdUp(names[opened.indexOf(paused)] ?? "");
        await clock.advance(step.ms);
        paused.thaw();
        break;
      }
      case "wait":
        await clock.advance(step.ms);
        break;
    }
    await settle();
  }

  // Everybody comes to rest: what hangs is let go, what was left behind is taken over, grace runs out.
  agent.letGo();
  for (let beat = 0; beat < 12; beat += 1) await clock.advance(leaseMs / 4);
  const [reader] = nodes;
  const known = (await store.list({ agent: "Tested", limit: 1000 })).tasks;
  for (const { record } of known) {
    const log = await store.read(record.taskId, 0, 100_000);
    const { messages, dealtWith } = checkLog(log);
    expect(isSettled(record.state), `${record.taskId} is ${record.state}`).toBe(true);
    if (record.state === "TASK_STATE_CANCELED") expect(canceled).toContain(record.taskId);
    // Only a task that ended badly, or that waits for an answer, may leave a message unread.
    if (record.state === "TASK_STATE_COMPLETED")
      expect(dealtWith.toSorted()).toEqual(messages.toSorted());
    expect(messages.filter((id) => refused.has(id))).toEqual([]);
  }
  const stored = new Set<string>();
  for (const { record } of known) {
    for (const { event } of await store.read(record.taskId, 0, 100_000)) {
      if (event.kind === "message-added") stored.add(event.message.messageId);
    }
  }
  expect([...accepted].filter((id) => !stored.has(id))).toEqual([]);

  const whole = new Map<string, readonly StreamEvent[]>();
  for (const { record } of known) {
    whole.set(record.taskId, await wholeStream(reader, record.taskId));
  }
  for (const subscriber of subscribers)
    checkSubscriber(subscriber, whole.get(subscriber.id()) ?? []);
  expect(agent.collisions).toEqual([]);
  for (const runtime of opened) {
    expect(runtime.reports.map(({ error }) => String(error))).toEqual([]);
  }
  for (const runtime of nodes) await runtime[Symbol.asyncDispose]();
  await Promise.all(underWay.map((work) => Promise.race([work, settle()])));
}

/** All events of a task, as a new subscriber is told them. */
async function wholeStream(
  { service, store }: TestRuntime,
  id: string,
): Promise<readonly StreamEvent[]> {
  const log = await store.read(id, 0, 100_000);
  const shown = ["task-created", "status-changed", "artifact-updated"];
  const count = log.filter(({ event }) => shown.includes(event.kind)).length;
  const leaving = new AbortController();
  const by = call({ resumeAfter: 0, signal: leaving.signal });
  const watching = watchInBackground(service.subscribeToTask({ id }, by));
  await until(() => watching.events.length === count, "the whole stream");
  leaving.abort();
  await watching.done.catch(() => undefined);
  return watching.events;
}

/** An event without what bindings have made of it. */
function told({ response, sequence }: StreamEvent): StreamEvent {
  return sequence === undefined ? { response } : { response, sequence };
}

/** What a subscriber has seen is what the log has after where it began, without a gap, up to where it left off. */
function checkSubscriber(
  { watching: { events }, resumedAfter, endsAtQuestion }: Subscriber,
  whole: readonly StreamEvent[],
): void {
  const [first, ...rest] = events;
  if (first === undefined) return;
  const startsWithTask = first.response.task !== undefined;
  if (resumedAfter === undefined) expect(startsWithTask).toBe(true);
  const seen = startsWithTask ? rest : events;
  const begunAt = startsWithTask ? (first.sequence ?? 0) : (resumedAfter ?? 0);
  const expected = whole.filter(({ sequence = 0 }) => sequence > begunAt).slice(0, seen.length);
  expect(seen.map(told)).toEqual(expected.map(told));
  if (!endsAtQuestion) return;
  const states = seen.map(({ response }) => response.statusUpdate?.status.state);
  expect(states.slice(0, -1)).not.toContain("TASK_STATE_INPUT_REQUIRED");
}

/** A store that now and then takes a turn, by chance that can be repeated. */
function createLatency(seed: number): () => Promise<void> {
  let state = seed;
  return async () => {
    state = (state * 48_271) % 2_147_483_647;
    if (state % 3 === 0) await settle();
  };
}
