import { unknownTaskId } from "../../probe/probe-message.js";
import { expectThat, fail, overHttp, pass, since02, skip } from "../check.js";
import type { ConformanceCheck, Observation } from "../check.js";
import { alterParams, told, webhook } from "../subject.js";
import type { Subject } from "../subject.js";
import { payloadOf, without } from "../wire-json.js";
import type { TaskPushNotificationConfig } from "@parley/a2a";
import type { Outcome } from "../../probe/session.js";

const undeclared = "the card declares no push notifications";

function pushes({ card }: Subject): boolean {
  return card.capabilities.pushNotifications === true;
}

interface Registered {
  readonly taskId: string;
  readonly id: string;
  readonly config: TaskPushNotificationConfig;
  readonly outcome: Outcome<TaskPushNotificationConfig>;
}

/** A check of a webhook that is registered for the task that has ended. */
function ofConfig(
  id: ConformanceCheck["id"],
  more: Omit<ConformanceCheck, "id" | "run">,
  judge: (registered: Registered, subject: Subject) => Observation | Promise<Observation>,
): ConformanceCheck {
  return {
    id,
    ...more,
    async run(subject) {
      if (!pushes(subject)) return skip(undeclared);
      const task = await subject.ended();
      const outcome = await subject.registered();
      if (task === undefined || outcome === undefined)
        return skip("the agent answered without a task that ends");
      const { result: config, error } = outcome;
      if (config !== undefined) {
        return judge({ taskId: task.id, id: config.id ?? "", config, outcome }, subject);
      }
      const isRefusedUrl = error?.code === "INVALID_PARAMS";
      return isRefusedUrl
        ? skip("the agent refuses the address of the check")
        : fail(told(outcome));
    },
  };
}

/** A check of a push operation for a task that does not exist. */
function forUnknownTask(
  id: ConformanceCheck["id"],
  call: (subject: Subject, taskId: string) => Promise<Outcome<unknown>>,
): ConformanceCheck {
  return {
    id,
    async run(subject) {
      if (!pushes(subject)) return skip(undeclared);
      const outcome = await call(subject, unknownTaskId());
      return expectThat(outcome.error?.code === "TASK_NOT_FOUND", told(outcome));
    },
  };
}

/** Requirements on push notification configurations (§3.1.7 to §3.1.10). */
export const pushChecks: readonly ConformanceCheck[] = [
  {
    id: "push:capability",
    async run(subject) {
      if (pushes(subject)) return skip("the card declares push notifications");
      const outcome = await subject.session.call("createTaskPushNotificationConfig", {
        taskId: (await subject.ended())?.id ?? unknownTaskId(),
        url: webhook,
      });
      return expectThat(outcome.error?.code === "PUSH_NOTIFICATION_NOT_SUPPORTED", told(outcome));
    },
  },
  {
    id: "push:inline-capability",
    async run(subject) {
      if (pushes(subject)) return skip("the card declares push notifications");
      const outcome = await subject.send(subject.options.message, {
        configuration: { taskPushNotificationConfig: { url: webhook } },
      });
      return expectThat(outcome.error !== undefined, told(outcome));
    },
  },
  ofConfig("push:create-assigns-id", {}, ({ config }) =>
    expectThat((config.id ?? "") !== "", config.id ?? "there is none"),
  ),
  ofConfig("push:flat-config", { bindings: overHttp }, ({ outcome }) => {
    const config = payloadOf(outcome.exchange);
    return expectThat(config["url"] === webhook, `it has ${Object.keys(config).join(", ")}`);
  }),
  ofConfig("push:get-details", { versions: since02 }, async ({ taskId, id }, { session }) => {
    const outcome = await session.call("getTaskPushNotificationConfig", { taskId, id });
    return expectThat(outcome.result?.url === webhook, outcome.result?.url ?? told(outcome));
  }),
  ofConfig("push:list-all", {}, async ({ taskId, id }, { session }) => {
    const outcome = await session.call("listTaskPushNotificationConfigs", { taskId });
    if (outcome.result === undefined) return fail(told(outcome));
    const ids = (outcome.result.configs ?? []).map((one) => one.id);
    return expectThat(ids.includes(id), `${ids.length} of them`);
  }),
  ofConfig("push:get-missing", {}, async ({ taskId }, { session }) => {
    const outcome = await session.call("getTaskPushNotificationConfig", {
      taskId,
      id: unknownTaskId(),
    });
    return expectThat(outcome.error?.code === "TASK_NOT_FOUND", told(outcome));
  }),
  {
    id: "push:url-required",
    bindings: overHttp,
    async run(subject) {
      if (!pushes(subject)) return skip(undeclared);
      const task = await subject.ended();
      if (task === undefined) return skip("the agent answered without a task that ends");
      const outcome = await subject.session.call(
        "createTaskPushNotificationConfig",
        { taskId: task.id, url: webhook },
        { alter: alterParams((params) => without(params, "url")) },
      );
      return expectThat(outcome.error !== undefined, told(outcome));
    },
  },
  {
    id: "send:inline-push-config",
    async run(subject) {
      if (!pushes(subject)) return skip(undeclared);
      const sent = await subject.send(subject.options.message, {
        configuration: { taskPushNotificationConfig: { url: webhook } },
      });
      if (sent.error?.code === "INVALID_PARAMS")
        return skip("the agent refuses the address of the check");
      const taskId = sent.result?.task?.id;
      if (taskId === undefined)
        return sent.error === undefined
          ? skip("the agent answered without a task")
          : fail(told(sent));
      const { result, ...rest } = await subject.session.call("listTaskPushNotificationConfigs", {
        taskId,
      });
      for (const { id } of result?.configs ?? []) {
        if (id !== undefined)
          await subject.session.call("deleteTaskPushNotificationConfig", { taskId, id });
      }
      if (result === undefined) return fail(told(rest));
      const has = (result.configs ?? []).some(({ url }) => url === webhook);
      return expectThat(has, has ? "registered" : "the task has no such webhook");
    },
  },
  forUnknownTask("push:create-unknown-task", ({ session }, taskId) =>
    session.call("createTaskPushNotificationConfig", { taskId, url: webhook }),
  ),
  forUnknownTask("push:list-unknown-task", ({ session }, taskId) =>
    session.call("listTaskPushNotificationConfigs", { taskId }),
  ),
  forUnknownTask("push:delete-unknown-task", ({ session }, taskId) =>
    session.call("deleteTaskPushNotificationConfig", { taskId, id: taskId }),
  ),
  // The two that remove what the others look at are the last.
  ofConfig("push:delete-permanent", {}, async ({ taskId, id }, subject) => {
    const { session } = subject;
    const removed = await removal(subject, taskId, id);
    if (removed.error !== undefined) return fail(told(removed));
    const read = await session.call("getTaskPushNotificationConfig", { taskId, id });
    return read.error === undefined ? fail("it can still be read") : pass("gone");
  }),
  ofConfig("push:delete-idempotent", {}, async ({ taskId, id }, subject) => {
    await removal(subject, taskId, id);
    const again = await subject.session.call("deleteTaskPushNotificationConfig", { taskId, id });
    return expectThat(again.error === undefined, told(again));
  }),
];

function removal(subject: Subject, taskId: string, id: string): Promise<Outcome<void>> {
  return subject.once("removal", () =>
    subject.session.call("deleteTaskPushNotificationConfig", { taskId, id }),
  );
}
