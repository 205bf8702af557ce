import { unknownTaskId } from "../../probe/probe-message.js";
import { every, expectThat, fail, since02, skip } from "../check.js";
import type { ConformanceCheck } from "../check.js";
import { told, unknownRead } from "../subject.js";
import { payloadOf } from "../wire-json.js";

const noTask = "the agent answered without a task that ends";

/** Requirements on reading and canceling tasks (§3.1.3, §3.1.5, §3.2.4). */
export const taskChecks: readonly ConformanceCheck[] = [
  {
    id: "get:unknown-task",
    versions: every,
    async run(subject) {
      const outcome = await unknownRead(subject);
      return expectThat(outcome.error?.code === "TASK_NOT_FOUND", told(outcome));
    },
  },
  {
    id: "get:current-state",
    versions: every,
    async run(subject) {
      const task = await subject.ended();
      const read = await subject.read();
      if (task === undefined || read === undefined) return skip(noTask);
      if (read.result === undefined) return fail(told(read));
      const { state } = read.result.status;
      return expectThat(state === task.status.state, state);
    },
  },
  {
    id: "get:idempotent",
    versions: every,
    async run(subject) {
      const task = await subject.ended();
      const first = (await subject.read())?.result;
      if (task === undefined || first === undefined) return skip(noTask);
      const second = await subject.session.call("getTask", { id: task.id });
      const isSame = JSON.stringify(second.result) === JSON.stringify(first);
      return expectThat(isSame, isSame ? "two reads are the same" : "a second read is another");
    },
  },
  {
    id: "task:history-limit",
    versions: since02,
    async run(subject) {
      const task = await subject.ended();
      if (task === undefined) return skip(noTask);
      const { result, ...rest } = await subject.session.call("getTask", {
        id: task.id,
        historyLength: 1,
      });
      if (result === undefined) return fail(told(rest));
      const { length } = result.history ?? [];
      return expectThat(length <= 1, `${length} messages for historyLength 1`);
    },
  },
  {
    id: "task:history-zero",
    bindings: ["JSONRPC", "HTTP+JSON"],
    async run(subject) {
      const task = await subject.ended();
      if (task === undefined) return skip(noTask);
      const { exchange } = await subject.session.call("getTask", { id: task.id, historyLength: 0 });
      const { history } = payloadOf(exchange);
      return expectThat(history === undefined, history === undefined ? "left out" : "there");
    },
  },
  {
    id: "task:history-negative",
    async run(subject) {
      const task = await subject.ended();
      if (task === undefined) return skip(noTask);
      const outcome = await subject.session.call("getTask", { id: task.id, historyLength: -1 });
      return expectThat(outcome.error !== undefined, told(outcome));
    },
  },
  {
    id: "cancel:unknown-task",
    versions: every,
    async run(subject) {
      const outcome = await subject.session.call("cancelTask", { id: unknownTaskId() });
      return expectThat(outcome.error?.code === "TASK_NOT_FOUND", told(outcome));
    },
  },
  {
    id: "cancel:not-cancelable",
    versions: every,
    async run(subject) {
      const task = await subject.ended();
      if (task === undefined) return skip(noTask);
      const outcome = await subject.session.call("cancelTask", { id: task.id });
      return expectThat(outcome.error?.code === "TASK_NOT_CANCELABLE", told(outcome));
    },
  },
  {
    id: "cancel:updated-task",
    versions: since02,
    async run(subject) {
      const task = (await subject.begin())?.result?.task;
      if (task === undefined)
        return skip("--slow-message TEXT that keeps the agent at work shows it");
      const outcome = await subject.session.call("cancelTask", { id: task.id });
      if (outcome.error?.code === "TASK_NOT_CANCELABLE") return skip("the agent cannot cancel it");
      return expectThat(
        outcome.result?.id === task.id,
        outcome.result?.status.state ?? told(outcome),
      );
    },
  },
];
