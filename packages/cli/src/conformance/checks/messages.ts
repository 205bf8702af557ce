import { isTerminal, taskStates } from "@parley/a2a";
import { unknownTaskId } from "../../probe/probe-message.js";
import { every, expectThat, overHttp, pass, since02, skip } from "../check.js";
import type { ConformanceCheck } from "../check.js";
import { alterMessage, told } from "../subject.js";
import { without } from "../wire-json.js";
import type { Json } from "../wire-json.js";

const noSlowTask = "--slow-message TEXT that keeps the agent at work shows it";

/** Whether an error says that a request is not valid. */
function isInvalid(code: string | undefined): boolean {
  return code === "INVALID_PARAMS" || code === "INVALID_REQUEST";
}

/** A check that a message without what it needs is refused. */
function refused(
  id: ConformanceCheck["id"],
  what: string,
  change: (message: Json) => Json,
): ConformanceCheck {
  return {
    id,
    bindings: overHttp,
    async run(subject) {
      const outcome = await subject.send(
        subject.options.message,
        {},
        { alter: alterMessage(change) },
      );
      return expectThat(
        isInvalid(outcome.error?.code),
        `${what} is answered with ${told(outcome)}`,
      );
    },
  };
}

/** Requirements on what is sent: tasks, messages, contexts, artifacts (§3.4, §4.1). */
export const messageChecks: readonly ConformanceCheck[] = [
  {
    id: "task:required-fields",
    versions: every,
    async run(subject) {
      const { result } = await subject.sent();
      if (result?.task === undefined) return skip("the agent answered without a task");
      return expectThat(result.task.id !== "", `the task ${result.task.id}`);
    },
  },
  {
    id: "task:named-states",
    versions: every,
    async run(subject) {
      const { result } = await subject.sent();
      if (result?.task === undefined) return skip("the agent answered without a task");
      const { state } = result.task.status;
      return expectThat(state !== "TASK_STATE_UNSPECIFIED" && taskStates.includes(state), state);
    },
  },
  {
    id: "task:unique-id",
    versions: since02,
    async run(subject) {
      const { result } = await subject.sent();
      if (result?.task === undefined) return skip("the agent answered without a task");
      const second = await subject.send(subject.options.message);
      const id = second.result?.task?.id;
      if (id === undefined) return skip("the second answer is without a task");
      return expectThat(id !== result.task.id, `${result.task.id} and ${id}`);
    },
  },
  {
    id: "context:generated-returned",
    versions: since02,
    async run(subject) {
      const { result } = await subject.sent();
      if (result === undefined) return skip("the message was refused");
      const contextId = (result.task ?? result.message).contextId ?? "";
      return expectThat(contextId !== "", contextId === "" ? "there is none" : contextId);
    },
  },
  {
    id: "context:not-replaced",
    versions: since02,
    async run(subject) {
      const contextId = unknownTaskId();
      const { result, error } = await subject.send(subject.options.message, {
        message: { contextId },
      });
      if (error !== undefined) return pass(`refused: ${error.code}`);
      const answered = (result?.task ?? result?.message)?.contextId;
      return expectThat(
        answered === contextId,
        answered === contextId ? "kept" : `answered ${answered}`,
      );
    },
  },
  {
    id: "context:mismatch",
    async run(subject) {
      const task = (await subject.begin())?.result?.task;
      if (task === undefined) return skip(noSlowTask);
      const outcome = await subject.send(subject.options.message, {
        message: { taskId: task.id, contextId: unknownTaskId() },
      });
      const now = await subject.session.call("getTask", { id: task.id });
      if (
        outcome.error !== undefined &&
        now.result !== undefined &&
        isTerminal(now.result.status.state)
      ) {
        return skip("the task had ended too early");
      }
      return expectThat(outcome.error !== undefined, told(outcome));
    },
  },
  {
    id: "message:sender-role",
    versions: since02,
    async run(subject) {
      const { result } = await subject.sent();
      const said = [
        ...(result?.message === undefined ? [] : [result.message]),
        ...(result?.task?.status.message === undefined ? [] : [result.task.status.message]),
      ];
      if (said.length === 0) return skip("the agent sent no message");
      const isAgent = said.every(({ role }) => role === "ROLE_AGENT");
      return expectThat(isAgent, said.map(({ role }) => role).join(", "));
    },
  },
  {
    id: "message:server-context",
    async run(subject) {
      const message = (await subject.sent()).result?.message;
      if (message === undefined) return skip("the agent answered with a task");
      const has = (message.contextId ?? "") !== "";
      return expectThat(has, has ? (message.contextId ?? "") : "the message has none");
    },
  },
  refused("message:id-required", "a message without messageId", (message) =>
    without(message, "messageId"),
  ),
  refused("message:role-required", "a message without role", (message) => without(message, "role")),
  refused("message:parts-required", "a message without parts", (message) => ({
    ...message,
    parts: [],
  })),
  refused("part:one-content", "a part without content", (message) => ({
    ...message,
    parts: [{ mediaType: "text/plain" }],
  })),
  {
    id: "artifact:parts-required",
    versions: every,
    async run(subject) {
      const artifacts = (await subject.ended())?.artifacts ?? [];
      if (artifacts.length === 0) return skip("the task has no artifacts");
      return expectThat(
        artifacts.every(({ parts }) => parts.length > 0),
        `${artifacts.length} artifacts`,
      );
    },
  },
  {
    id: "artifact:id-unique",
    versions: since02,
    async run(subject) {
      const ids = ((await subject.ended())?.artifacts ?? []).map(({ artifactId }) => artifactId);
      if (ids.length === 0) return skip("the task has no artifacts");
      return expectThat(new Set(ids).size === ids.length && !ids.includes(""), ids.join(", "));
    },
  },
  {
    id: "json:unknown-members",
    bindings: overHttp,
    async run(subject) {
      const alter = alterMessage((message) => ({ ...message, memberThatNobodyKnows: 1 }));
      const outcome = await subject.send(subject.options.message, {}, { alter });
      return expectThat(outcome.result !== undefined, told(outcome));
    },
  },
];
