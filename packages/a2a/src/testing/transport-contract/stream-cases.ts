import type { StreamEvent } from "../../protocol/internal.js";
import { assert, assertEqual, assertRefused } from "../assert.js";
import type { Statements } from "../contract-case.js";
import { collect, openTask, say, stateOf, streamedText } from "./transport-bench.js";
import type { TransportBench } from "./transport-bench.js";

const numbers = (from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${from + index} `);

/** Streaming and subscribing. */
export const streamCases: Statements<TransportBench> = {
  "a stream begins with the task, tells every chunk in order, and ends with the work": async ({
    service,
    call,
  }) => {
    const events = await collect(service.sendStreamingMessage(say("count 50"), call));
    const [first] = events;
    const last = events.at(-1);
    assert(first?.response.task !== undefined, "the first event is no task");
    assertEqual(streamedText(events), numbers(1, 50), "the chunks");
    assertEqual(last && stateOf(last), "TASK_STATE_COMPLETED", "the last state");
    const id = first.response.task.id;
    const others = events.flatMap(({ response }) => response.artifactUpdate?.taskId ?? []);
    assertEqual([...new Set(others)], [id], "the tasks of the chunks");
  },

  "a stream of a direct answer is that message": async ({ service, call }) => {
    const events = await collect(service.sendStreamingMessage(say("hello"), call));
    const texts = events.map(({ response }) => response.message?.parts[0]?.text);
    assertEqual(texts, ["hello"], "the events");
  },

  "a stream that asks for input ends with the question": async ({ service, call }) => {
    const events = await collect(service.sendStreamingMessage(say("ask"), call));
    const last = events.at(-1);
    assertEqual(last && stateOf(last), "TASK_STATE_INPUT_REQUIRED", "the last state");
  },

  "who subscribes gets the task first, and its end last": async (bench) => {
    const { service, call } = bench;
    const { id } = await openTask(bench, "work");
    const events: StreamEvent[] = [];
    for await (const event of service.subscribeToTask({ id }, call)) {
      events.push(event);
      if (events.length === 1) await service.cancelTask({ id }, call);
    }
    assertEqual(events[0]?.response.task?.id, id, "the first event");
    const last = events.at(-1);
    assertEqual(last && stateOf(last), "TASK_STATE_CANCELED", "the last state");
  },

  "a stream that was left resumes after the last event that was seen": async ({
    service,
    call,
  }) => {
    const seen: StreamEvent[] = [];
    for await (const event of service.sendStreamingMessage(say("count 20"), call)) {
      seen.push(event);
      if (streamedText(seen).length === 7) break;
    }
    const id = seen[0]?.response.task?.id ?? "";
    const resumeAfter = seen.at(-1)?.sequence;
    assert(resumeAfter !== undefined, "events do not tell their sequence");
    const rest = await collect(service.subscribeToTask({ id }, { ...call, resumeAfter }));
    assertEqual(streamedText([...seen, ...rest]), numbers(1, 20), "the chunks");
    const last = rest.at(-1);
    assertEqual(last && stateOf(last), "TASK_STATE_COMPLETED", "the last state");
  },

  "who leaves a stream does not end the work, nor the stream of another": async (bench) => {
    const { service, call } = bench;
    const { id } = await openTask(bench, "work");
    const controller = new AbortController();
    const other = service.subscribeToTask({ id }, call)[Symbol.asyncIterator]();
    await other.next();
    const left = { ...call, signal: controller.signal };
    const leaving = (async () => {
      for await (const _ of service.subscribeToTask({ id }, left)) controller.abort();
    })();
    await assertRefused(leaving, "UNAVAILABLE", "the stream that was left");
    for await (const _ of service.subscribeToTask({ id }, call)) break;
    const { status } = await service.getTask({ id }, call);
    assertEqual(status.state, "TASK_STATE_WORKING", "the state");
    await service.cancelTask({ id }, call);
    let last = await other.next();
    while (last.done !== true && stateOf(last.value) === "TASK_STATE_WORKING") {
      last = await other.next();
    }
    const state = last.done === true ? undefined : stateOf(last.value);
    assertEqual(state, "TASK_STATE_CANCELED", "the last state of the other stream");
    await other.return?.();
  },
};
