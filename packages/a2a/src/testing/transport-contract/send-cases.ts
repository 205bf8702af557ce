import type { Part } from "../../protocol/internal.js";
import { assert, assertEqual } from "../assert.js";
import type { Statements } from "../contract-case.js";
import { secret } from "./contract-agent.js";
import { say, sayTo } from "./transport-bench.js";
import type { TransportBench } from "./transport-bench.js";

/** Every kind of part, in a form that all versions return unchanged. */
const everyPart: readonly Part[] = [
  { text: "parts" },
  { text: 'ünï\u0000code 🎏 "quoted"', metadata: { note: "n" } },
  { raw: "AP8Q", mediaType: "image/png", filename: "dot.png" },
  { url: "https://files.example/a?b=c", mediaType: "text/csv", filename: "c.csv" },
  { data: { list: [1, -2.5, 1e300, "x", true, null, []], empty: {}, deep: { er: [[{}]] } } },
  { data: ["a", null] },
];

/** Sending messages, and getting a message or a task. */
export const sendCases: Statements<TransportBench> = {
  "a message is answered with a message": async ({ service, call }) => {
    const { message } = await service.sendMessage(say("hello"), call);
    assert(message !== undefined, "the answer is no message");
    assertEqual(message.parts, [{ text: "hello" }], "the answer");
    assertEqual(message.role, "ROLE_AGENT", "the role");
  },

  "a message that needs work is answered once the work is done": async ({ service, call }) => {
    const { task } = await service.sendMessage(say("count 3"), call);
    assertEqual(task?.status.state, "TASK_STATE_COMPLETED", "the state");
    const text = task?.artifacts?.flatMap(({ parts }) => parts.map((part) => part.text)).join("");
    assertEqual(text, "1 2 3 ", "the artifact");
  },

  "who does not wait is answered at once": async ({ service, call }) => {
    const request = say("work", { configuration: { returnImmediately: true } });
    const { task } = await service.sendMessage(request, call);
    assert(task !== undefined, "the answer is no task");
    const isUnderWay = ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"].includes(task.status.state);
    assert(isUnderWay, `the task is ${task.status.state}`);
    await service.cancelTask({ id: task.id }, call);
  },

  "parts of every kind arrive, and come back, as they were": async ({ service, call }) => {
    const { task } = await service.sendMessage(say(everyPart), call);
    const [artifact] = task?.artifacts ?? [];
    assertEqual(artifact?.parts, everyPart, "the parts");
    assertEqual(artifact?.metadata, { list: [1, null] }, "the metadata");
  },

  "a question is asked and answered in one task": async ({ service, call }) => {
    const { task } = await service.sendMessage(say("ask"), call);
    assertEqual(task?.status.state, "TASK_STATE_INPUT_REQUIRED", "the state after the question");
    assert(task !== undefined, "there is no task");
    assertEqual(task.status.message?.parts, [{ text: "What?" }], "the question");
    const answered = await service.sendMessage(sayTo(task, "this"), call);
    assertEqual(answered.task?.id, task.id, "the task");
    assertEqual(answered.task?.status.state, "TASK_STATE_COMPLETED", "the state after the answer");
    assert(JSON.stringify(answered).includes("You said this."), "the answer is not told");
  },

  "a repeated send with the same key is the same send": async ({ service, call }) => {
    const request = say("count 1");
    const repeated = { ...call, idempotencyKey: "once" };
    const first = await service.sendMessage(request, repeated);
    const second = await service.sendMessage(request, repeated);
    assertEqual(second.task?.id, first.task?.id, "the task");
  },

  "what an agent throws is not told": async ({ service, call }) => {
    const { task } = await service.sendMessage(say("throw"), call);
    assertEqual(task?.status.state, "TASK_STATE_FAILED", "the state");
    assert(!JSON.stringify(task).includes(secret), "the task tells what was thrown");
  },

  "who gives up waiting ends the wait and not the work": async ({ service, call }) => {
    const controller = new AbortController();
    const stream = service.sendStreamingMessage(say("work"), call);
    const events = stream[Symbol.asyncIterator]();
    const first = await events.next();
    const task = first.done === true ? undefined : first.value.response.task;
    assert(task !== undefined, "the stream does not begin with the task");
    const waiting = service.sendMessage(sayTo(task, "more"), {
      ...call,
      signal: controller.signal,
    });
    setTimeout(() => controller.abort(), 50);
    const outcome = await waiting.then(
      () => "answered",
      () => "given up",
    );
    assertEqual(outcome, "given up", "the wait");
    const { status } = await service.getTask({ id: task.id }, call);
    assertEqual(status.state, "TASK_STATE_WORKING", "the state");
    await service.cancelTask({ id: task.id }, call);
    await events.return?.();
  },
};
