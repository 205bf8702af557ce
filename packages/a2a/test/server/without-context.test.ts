import { expect, it } from "vitest";
import { guard } from "@parley/a2a/auth";
import { collect } from "../support/streams.js";
import { refusalCode, taskOf } from "../support/runtime/answers.js";
import { call, callBy, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";

it("answers a program that calls it without a context, in every operation", async () => {
  await using runtime = await openTestRuntime({
    capabilities: { streaming: true, pushNotifications: true },
    run: async function* ({ text, caller }) {
      yield `${text} for ${caller?.subject ?? "nobody"}`;
    },
  });
  const { service } = runtime;
  const task = taskOf(await service.sendMessage(say("one")));
  expect(task.artifacts?.[0]?.parts).toEqual([{ text: "one for nobody" }]);
  expect(await service.getTask({ id: task.id })).toMatchObject({ id: task.id });
  expect((await service.listTasks({})).tasks.map(({ id }) => id)).toEqual([task.id]);
  const events = await collect(service.sendStreamingMessage(say("two")));
  expect(events.at(-1)?.response.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  expect(await refusalCode(service.cancelTask({ id: task.id }))).toBe("TASK_NOT_CANCELABLE");
  expect(await refusalCode(collect(service.subscribeToTask({ id: task.id })))).toBe(
    "UNSUPPORTED_OPERATION",
  );
  expect(await refusalCode(service.getExtendedAgentCard({}))).toBe("UNSUPPORTED_OPERATION");
  const config = { taskId: task.id, id: "c", url: "https://example.com/hook" };
  const { taskId, id } = config;
  await service.createTaskPushNotificationConfig(config);
  expect(await service.getTaskPushNotificationConfig({ taskId, id })).toMatchObject(config);
  expect((await service.listTaskPushNotificationConfigs({ taskId })).configs).toHaveLength(1);
  await service.deleteTaskPushNotificationConfig({ taskId, id });
  expect((await service.listTaskPushNotificationConfigs({ taskId })).configs ?? []).toEqual([]);
});

it("takes a call without a context for an anonymous one of 1.0, which sees no other caller's task", async () => {
  await using runtime = await openTestRuntime({
    run: async function* () {
      yield "done";
    },
  });
  const { service } = runtime;
  const mine = taskOf(await service.sendMessage(say("mine"), callBy("ada")));
  expect(await refusalCode(service.getTask({ id: mine.id }))).toBe("TASK_NOT_FOUND");
  const anyones = taskOf(await service.sendMessage(say("anyone's")));
  expect(await service.getTask({ id: anyones.id }, call())).toMatchObject({ id: anyones.id });
});

it("is not got around by leaving out the context: a guard asks about such a call too", async () => {
  await using runtime = await openTestRuntime({
    run: async function* () {
      yield "done";
    },
  });
  const guarded = guard(runtime.service, {
    authorize: (principal) => principal !== undefined,
  });
  expect(await refusalCode(guarded.sendMessage(say("hi")))).toBe("PERMISSION_DENIED");
});
