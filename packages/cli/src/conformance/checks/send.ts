import { isSettled, isWorking, unknownTaskId } from "../../probe/probe-message.js";
import { every, expectThat, fail, pass, since02, skip } from "../check.js";
import type { ConformanceCheck } from "../check.js";
import { told } from "../subject.js";
import type { Subject } from "../subject.js";
import { payloadOf } from "../wire-json.js";

const noTask =
  "the agent answered without a task that ends; --message TEXT that makes one shows more";
const noSlowTask = "--slow-message TEXT that keeps the agent at work shows it";

/** Requirements on sending messages (§3.1.1, §3.2.2). */
export const sendChecks: readonly ConformanceCheck[] = [
  {
    id: "send:one-payload",
    versions: every,
    async run(subject) {
      const outcome = await subject.sent();
      if (outcome.result === undefined)
        return fail(`the message is answered with ${told(outcome)}`);
      const { version, declared } = subject.session;
      if (version !== "1.0" || declared.protocolBinding === "GRPC") {
        return pass(outcome.result.task === undefined ? "a message" : "a task");
      }
      const members = Object.keys(payloadOf(outcome.exchange)).filter((name) =>
        ["task", "message"].includes(name),
      );
      return expectThat(members.length === 1, `the result has ${members.join(", ") || "neither"}`);
    },
  },
  {
    id: "send:unknown-task-id",
    versions: since02,
    async run(subject) {
      const outcome = await unknownSend(subject);
      return expectThat(outcome.error?.code === "TASK_NOT_FOUND", told(outcome));
    },
  },
  {
    id: "send:client-task-id",
    versions: since02,
    async run(subject) {
      const { taskId } = await unknownSend(subject);
      const outcome = await subject.session.call("getTask", { id: taskId });
      return expectThat(
        outcome.result === undefined,
        `a read of it is answered with ${told(outcome)}`,
      );
    },
  },
  {
    id: "send:terminal-task",
    async run(subject) {
      const task = await subject.ended();
      if (task === undefined) return skip(noTask);
      const outcome = await lateSend(subject, task.id);
      return expectThat(outcome.error?.code === "UNSUPPORTED_OPERATION", told(outcome));
    },
  },
  {
    id: "task:terminal-immutable",
    async run(subject) {
      const task = await subject.ended();
      const before = await subject.read();
      if (task === undefined || before?.result === undefined) return skip(noTask);
      await lateSend(subject, task.id);
      const after = await subject.session.call("getTask", { id: task.id });
      const isSame = JSON.stringify(after.result) === JSON.stringify(before.result);
      return expectThat(isSame, isSame ? "unchanged" : "a message for it has changed it");
    },
  },
  {
    id: "send:blocking-default",
    async run(subject) {
      const { result } = await subject.sent();
      if (result === undefined) return skip("the message was refused");
      if (result.message !== undefined) return pass("a message");
      const { state } = result.task.status;
      return expectThat(isSettled(state), `answered in the state ${state}`);
    },
  },
  {
    id: "send:blocking-latest-state",
    async run(subject) {
      const task = await subject.ended();
      const read = (await subject.read())?.result;
      if (task === undefined || read === undefined) return skip(noTask);
      const isSame =
        read.status.state === task.status.state &&
        JSON.stringify(read.artifacts ?? []) === JSON.stringify(task.artifacts ?? []);
      return expectThat(
        isSame,
        isSame ? "as a read shows it" : "a read shows another state or other artifacts",
      );
    },
  },
  {
    id: "send:return-immediately",
    async run(subject) {
      const { slowMessage } = subject.options;
      if (slowMessage === undefined) return skip(noSlowTask);
      const { result } = await subject.send(slowMessage, {
        configuration: { returnImmediately: true },
      });
      if (result === undefined) return fail("the message was refused");
      if (result.task === undefined) return skip("the agent answered with a message");
      return expectThat(
        isWorking(result.task),
        `answered in the state ${result.task.status.state}`,
      );
    },
  },
  {
    id: "send:return-immediately-message",
    async run(subject) {
      const { result } = await subject.sent();
      if (result?.message === undefined) return skip("the agent answered with a task");
      const configuration = { returnImmediately: true };
      const now = await subject.send(subject.options.message, { configuration });
      return expectThat(now.result?.message !== undefined, told(now));
    },
  },
  {
    id: "send:unsupported-media-type",
    async run(subject) {
      const { defaultInputModes, skills } = subject.card;
      const modes = [...defaultInputModes, ...skills.flatMap(({ inputModes }) => inputModes ?? [])];
      if (modes.some((mode) => mode.includes("*"))) return skip("the agent takes any media type");
      const outcome = await subject.send("", {
        message: {
          parts: [{ raw: "AQ==", mediaType: "application/x-parley-nobody" }],
        },
      });
      return expectThat(outcome.error?.code === "CONTENT_TYPE_NOT_SUPPORTED", told(outcome));
    },
  },
];

/** A message for a task that does not exist. */
function unknownSend(subject: Subject) {
  return subject.once("unknown-send", async () => {
    const taskId = unknownTaskId();
    return { ...(await subject.send(subject.options.message, { message: { taskId } })), taskId };
  });
}

/** A message for a task that has ended. */
function lateSend(subject: Subject, taskId: string) {
  return subject.once("late-send", () =>
    subject.send(subject.options.message, { message: { taskId } }),
  );
}
