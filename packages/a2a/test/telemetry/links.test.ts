import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createInProcessBus } from "../../src/bus/index.js";
import { traced } from "../../src/protocol/tracing/internal.js";
import type { AgentService } from "../../src/protocol/internal.js";
import type { Handler, RuntimeSettings } from "../../src/server/index.js";
import type { Store } from "../../src/store/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { stateOf, taskOf } from "../support/runtime/answers.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../support/runtime/open-test-runtime.js";
import { settle, until } from "../support/time/until.js";
import { idOf, lineOf, linksOf, recordSpans, traceOf } from "./record-spans.js";
import type { RecordedSpans } from "./record-spans.js";

const leaseMs = 12_000;
const dayMs = 24 * 60 * 60 * 1000;

let recorded: RecordedSpans;
beforeAll(() => {
  recorded = recordSpans();
});
beforeEach(() => recorded.clear());
afterAll(() => recorded[Symbol.dispose]());

/** Nodes over one store, one bus and one clock, whose services are traced. */
function createCluster(timing: Partial<RuntimeSettings> = { leaseMs }) {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  const bus = createInProcessBus();
  const { telemetry } = recorded;
  const settings = { ...timing, suspendForMs: 10 * dayMs };
  const node = { store, clock, bus, durable: true, settings };
  const open = (run: Handler): Promise<TestRuntime> => openTestRuntime({ ...node, run, telemetry });
  /** A node of a version that knew no traces, as far as its log shows. */
  const openOld = (run: Handler): Promise<TestRuntime> => openTestRuntime({ ...node, run });
  return { store, clock, bus, open, openOld };
}

/** The service as a server mounts it. */
function serviceOf({ service }: TestRuntime): AgentService {
  const { tracer } = recorded.telemetry;
  if (tracer === undefined) throw new Error("there is no tracer");
  return traced(service.service, { tracer, kind: "server", card: service.card([]) });
}

const never = (): Promise<never> => new Promise(() => undefined);

/** Spans of runs, in the order in which they began. */
function runs() {
  return recorded
    .named("run Tested")
    .toSorted((a, b) => a.startTime[0] - b.startTime[0] || a.startTime[1] - b.startTime[1]);
}

describe("a run", () => {
  it("is part of its call as long as the caller waits, and otherwise a trace of its own with a link", async () => {
    const cluster = createCluster();
    await using node = await cluster.open(async function* () {
      yield "done";
    });
    const service = serviceOf(node);
    await service.sendMessage(say("one"), call());
    expect(lineOf(recorded.one("run Tested"), recorded.all())).toEqual([
      "INTERNAL run Tested",
      "SERVER SendMessage",
    ]);
    recorded.clear();
    await service.sendMessage(sayAndLeave("two"), call());
    await until(() => runs().length === 1);
    const run = recorded.one("run Tested");
    const sent = recorded.one("SendMessage");
    expect(run.parentSpanContext).toBeUndefined();
    expect(traceOf(run)).not.toBe(traceOf(sent));
    expect(linksOf(run)).toEqual([idOf(sent)]);
    expect(run.attributes).toMatchObject({
      "parley.run.number": 1,
      "parley.run.reason": "message",
      "parley.node.slot": 0,
      "parley.events": 1,
      "a2a.task.state": "TASK_STATE_COMPLETED",
    });
  });

  it("that is killed on one node and resumed on another links to its call and to what was before", async () => {
    const cluster = createCluster();
    await using one = await cluster.open(async function* ({ step }) {
      yield "begun";
      await step("first", () => 1);
      await never();
    });
    const sent = await serviceOf(one).sendMessage(sayAndLeave("go"), call());
    const { id } = taskOf(sent);
    await until(() => recorded.named("step first").length === 1);
    await settle();
    const step = recorded.one("step first");
    one.freeze();
    await using two = await cluster.open(async function* ({ step: again }) {
      yield "begun";
      await again("first", () => 1);
      yield " and done";
    });
    await cluster.clock.advance(leaseMs);
    await until(async () => stateOf(await two.service.getTask({ id }, call())) === "completed");
    await until(() => runs().length === 1);
    const run = recorded.one("run Tested");
    expect(linksOf(run)).toEqual([
      idOf(recorded.one("SendMessage")),
      step.parentSpanContext?.spanId,
    ]);
    expect(traceOf(run)).not.toBe(traceOf(step));
    expect(run.attributes).toMatchObject({
      "parley.run.number": 1,
      "parley.run.attempt": 2,
      "parley.run.reason": "recovered",
      "parley.node.slot": 1,
      "a2a.task.id": id,
    });
    // A step that is recorded is not done again.
    expect(recorded.named("step first")).toHaveLength(1);
  });

  it("that is handed over says so", async () => {
    const cluster = createCluster();
    await using one = await cluster.open(async function* () {
      yield "begun";
      await never();
    });
    const [{ node } = { node: "" }] = await cluster.store.listNodes();
    await using two = await cluster.open(async function* () {
      yield "begun and done";
    });
    await cluster.clock.advance(leaseMs / 4);
    const { id } = taskOf(await serviceOf(one).sendMessage(sayAndLeave("go"), call()));
    await settle();
    await cluster.store.setDraining(node, true);
    cluster.bus.publishTopic("drain", node);
    await until(async () => stateOf(await two.service.getTask({ id }, call())) === "completed");
    await until(() => runs().length === 2);
    const [before, after] = runs();
    expect(linksOf(after!)).toEqual([idOf(recorded.one("SendMessage")), idOf(before!)]);
    expect(after!.attributes).toMatchObject({
      "parley.run.reason": "handed-over",
      "parley.node.slot": 1,
    });
  });
});

describe("an answer a day later", () => {
  const asking: Handler = async function* (context) {
    yield "Hello. ";
    const before = context.trace;
    await context.ask("Where to?");
    await context.step("after", () => context.trace?.traceparent !== before?.traceparent);
    yield "Bye";
  };

  it.each([
    ["goes on in memory", false],
    ["is begun again on another node", true],
  ])(
    "begins a trace that links to the answer and to the run before: the handler %s",
    async (_, isKilled) => {
      // Nodes look at the clock rarely, so that a day passes at once.
      const cluster = createCluster({ leaseMs: dayMs, takeUpMs: dayMs });
      await using one = await cluster.open(asking);
      await using two = await cluster.open(asking);
      const asked = taskOf(await serviceOf(one).sendMessage(say("hi"), call()));
      expect(stateOf(asked)).toBe("input_required");
      const before = recorded.one("run Tested");
      expect(before.events.map(({ name }) => name)).toEqual(["parley.first_event", "ask"]);
      const first = recorded.one("SendMessage");
      expect(before.parentSpanContext?.spanId).toBe(idOf(first));
      if (isKilled) one.freeze();
      await cluster.clock.advance(dayMs);
      const service = serviceOf(isKilled ? two : one);
      const answer = service.sendMessage(say("Rome", { taskId: asked.id }), call());
      await cluster.clock.advance(1000);
      expect(stateOf(taskOf(await answer))).toBe("completed");
      await until(() => runs().length === 2);
      const [, after] = runs();
      const [, second] = recorded.named("SendMessage");
      expect(new Set(linksOf(after!))).toEqual(new Set([idOf(second!), idOf(before)]));
      expect(traceOf(after!)).not.toBe(traceOf(before));
      expect(traceOf(after!)).not.toBe(traceOf(second!));
      expect(after!.attributes).toMatchObject({
        "parley.run.number": 1,
        "parley.run.attempt": isKilled ? 2 : 1,
        "parley.run.reason": "answer",
        "parley.node.slot": isKilled ? 1 : 0,
      });
      // What the handler does from now on belongs to the new trace.
      expect(recorded.one("step after").parentSpanContext?.spanId).toBe(idOf(after!));
    },
  );
});

describe("a log that was written before there were traces", () => {
  /** What is in the log of a task. */
  const written = async (store: Store, id: string): Promise<string> =>
    JSON.stringify(await store.read(id, 0, 1000));

  it("is gone on with after a crash, in a trace of its own that links to nothing", async () => {
    const cluster = createCluster();
    const work: Handler = async function* ({ step, trace }) {
      yield "begun";
      const first = await step("first", () => 1);
      if (trace === undefined) await never();
      yield ` and done ${first}`;
    };
    await using old = await cluster.openOld(work);
    const { id } = taskOf(await old.service.sendMessage(sayAndLeave("go"), call()));
    await until(async () => (await written(cluster.store, id)).includes('"first"'));
    await settle();
    expect(await written(cluster.store, id)).not.toContain("trace");
    old.freeze();
    await using node = await cluster.open(work);
    await cluster.clock.advance(leaseMs);
    await until(async () => stateOf(await node.service.getTask({ id }, call())) === "completed");
    await until(() => runs().length === 1);
    const run = recorded.one("run Tested");
    expect(run.links).toEqual([]);
    expect(run.parentSpanContext).toBeUndefined();
    expect(run.attributes).toMatchObject({
      "parley.run.reason": "recovered",
      "parley.run.number": 1,
      "parley.run.attempt": 2,
      "a2a.task.id": id,
      "a2a.task.state": "TASK_STATE_COMPLETED",
    });
    // The step is in the log, and is not done again.
    expect(recorded.named("step first")).toEqual([]);
  });

  it("is gone on with by an answer, in a trace that links to the answer alone", async () => {
    const cluster = createCluster({ leaseMs: dayMs, takeUpMs: 1000 });
    const asking: Handler = async function* ({ ask, step }) {
      yield "Hello. ";
      await ask("Where to?");
      yield await step("after", () => "Bye");
    };
    await using old = await cluster.openOld(asking);
    const { id } = taskOf(await old.service.sendMessage(say("hi"), call()));
    expect(await written(cluster.store, id)).not.toContain("trace");
    await using node = await cluster.open(asking);
    old.freeze();
    const answer = serviceOf(node).sendMessage(say("Rome", { taskId: id }), call());
    await cluster.clock.advance(2000);
    expect(stateOf(taskOf(await answer))).toBe("completed");
    await until(() => runs().length === 1);
    const run = recorded.one("run Tested");
    expect(linksOf(run)).toEqual([idOf(recorded.one("SendMessage"))]);
    expect(run.attributes).toMatchObject({ "parley.run.reason": "answer" });
    expect(recorded.one("step after").parentSpanContext?.spanId).toBe(idOf(run));
  });
});
