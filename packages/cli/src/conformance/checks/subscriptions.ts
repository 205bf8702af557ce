import { isTerminal } from "@parley/a2a";
import {
  isSettled,
  probeMessage,
  stateOf,
  taskIdOf,
  unknownTaskId,
} from "../../probe/probe-message.js";
import type { Streamed } from "../../probe/session.js";
import { expectThat, fail, since02, skip } from "../check.js";
import type { ConformanceCheck } from "../check.js";
import { isComplete, told } from "../subject.js";
import type { Subject } from "../subject.js";
import { kindOf, streams, undeclared } from "./streams.js";

const noSlowTask = "--slow-message TEXT that keeps the agent at work shows it";

/** Requirements on subscriptions (§3.1.6), and on tasks whose streams break (§3.5.2). */
export const subscriptionChecks: readonly ConformanceCheck[] = [
  {
    id: "subscribe:capability",
    async run(subject) {
      if (streams(subject)) return skip("the card declares streaming");
      const streamed = await subject.session.stream("subscribeToTask", { id: unknownTaskId() });
      return expectThat(streamed.error?.code === "UNSUPPORTED_OPERATION", told(streamed));
    },
  },
  {
    id: "subscribe:unknown-task",
    versions: since02,
    async run(subject) {
      if (!streams(subject)) return skip(undeclared);
      const streamed = await subject.session.stream("subscribeToTask", { id: unknownTaskId() });
      return expectThat(streamed.error?.code === "TASK_NOT_FOUND", told(streamed));
    },
  },
  {
    id: "subscribe:terminal-task",
    async run(subject) {
      if (!streams(subject)) return skip(undeclared);
      const task = await subject.ended();
      if (task === undefined) return skip("the agent answered without a task that ends");
      const streamed = await subject.session.stream("subscribeToTask", { id: task.id });
      return expectThat(streamed.error?.code === "UNSUPPORTED_OPERATION", told(streamed));
    },
  },
  {
    id: "subscribe:active-task",
    versions: since02,
    async run(subject) {
      const followed = await follow(subject);
      if (typeof followed === "string") return skip(followed);
      const { rest } = followed;
      return expectThat(rest.arrivals.length > 0, told(rest));
    },
  },
  {
    id: "subscribe:snapshot-first",
    async run(subject) {
      const followed = await follow(subject);
      if (typeof followed === "string") return skip(followed);
      const [first] = followed.rest.arrivals;
      return expectThat(
        first?.response.task !== undefined,
        `the first event is ${kindOf(first?.response)}`,
      );
    },
  },
  {
    id: "subscribe:close-at-terminal",
    versions: since02,
    async run(subject) {
      const followed = await follow(subject);
      if (typeof followed === "string") return skip(followed);
      const { rest } = followed;
      if (rest.isCutShort && !isComplete(rest))
        return skip("the task works for longer than --call-timeout");
      return expectThat(
        !rest.isCutShort && isComplete(rest),
        isComplete(rest) ? "the end was told" : "the end was not told",
      );
    },
  },
  {
    id: "stream:task-outlives-stream",
    versions: since02,
    async run(subject) {
      const followed = await follow(subject);
      if (typeof followed === "string") return skip(followed);
      const task = await subject.settle(followed.id);
      if (task === undefined) return fail("the task is gone");
      if (!isSettled(task.status.state))
        return skip("the task works for longer than --call-timeout");
      return expectThat(task.status.state !== "TASK_STATE_CANCELED", task.status.state);
    },
  },
];

interface Followed {
  readonly id: string;
  /** What came after the subscription. */
  readonly rest: Streamed;
}

/** Begins a stream, leaves it after its first event, and subscribes; or says why that cannot be done. */
function follow(subject: Subject): Promise<Followed | string> {
  return subject.once("followed", async () => {
    const { slowMessage } = subject.options;
    if (!streams(subject)) return undeclared;
    if (slowMessage === undefined) return noSlowTask;
    const begun = await subject.session.stream("sendStreamingMessage", probeMessage(slowMessage), {
      isEnough: ({ response }) => taskIdOf(response) !== undefined,
    });
    const last = begun.arrivals.at(-1)?.response;
    const id = last && taskIdOf(last);
    const state = last && stateOf(last);
    subject.note(id);
    if (id === undefined || (state !== undefined && isTerminal(state)))
      return "the agent answered at once";
    const rest = await subject.session.stream("subscribeToTask", { id });
    if (rest.arrivals.length > 0) return { id, rest };
    const now = (await subject.session.call("getTask", { id })).result;
    const hasEnded = now !== undefined && isTerminal(now.status.state);
    return hasEnded ? "the task had ended too early" : { id, rest };
  });
}
