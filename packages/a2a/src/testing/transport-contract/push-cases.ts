import { assert, assertEqual, assertRefused } from "../assert.js";
import type { Statements } from "../contract-case.js";
import { openTask } from "./transport-bench.js";
import type { TransportBench } from "./transport-bench.js";

/** Registering push configurations; sending notifications is not part of this contract. */
export const pushCases: Statements<TransportBench> = {
  "a push configuration is created, read, listed and deleted": async (bench) => {
    const { service, call } = bench;
    const { id: taskId } = await openTask(bench, "work");
    const config = {
      taskId,
      id: "hook/1",
      url: "https://client.example/hook",
      token: "t",
      authentication: { scheme: "Bearer", credentials: "c" },
    };
    const created = await service.createTaskPushNotificationConfig(config, call);
    assertEqual(created.taskId, taskId, "the task");
    assertEqual(created.id, "hook/1", "the id");
    assertEqual(created.authentication?.scheme, "Bearer", "the scheme");
    const read = await service.getTaskPushNotificationConfig({ taskId, id: "hook/1" }, call);
    assertEqual(read.url, config.url, "the URL");
    assertEqual(read.token, undefined, "the token, which is a secret");
    const { configs } = await service.listTaskPushNotificationConfigs({ taskId }, call);
    assertEqual(
      configs?.map(({ id }) => id),
      ["hook/1"],
      "the list",
    );
    await service.deleteTaskPushNotificationConfig({ taskId, id: "hook/1" }, call);
    await service.deleteTaskPushNotificationConfig({ taskId, id: "hook/1" }, call);
    const after = await service.listTaskPushNotificationConfigs({ taskId }, call);
    assertEqual(after.configs ?? [], [], "the list afterwards");
    await service.cancelTask({ id: taskId }, call);
  },

  "a push configuration without an id is given one": async (bench) => {
    const { service, call } = bench;
    const { id: taskId } = await openTask(bench, "work");
    const config = { taskId, url: "https://client.example/hook" };
    const { id } = await service.createTaskPushNotificationConfig(config, call);
    assert(id !== undefined && id !== "", "there is no id");
    const read = await service.getTaskPushNotificationConfig({ taskId, id }, call);
    assertEqual(read.url, config.url, "the URL");
    await service.cancelTask({ id: taskId }, call);
  },

  "a push configuration that nobody knows is not found": async (bench) => {
    const { service, call } = bench;
    const { id: taskId } = await openTask(bench, "work");
    const reading = service.getTaskPushNotificationConfig({ taskId, id: "unknown" }, call);
    await assertRefused(reading, "TASK_NOT_FOUND", "reading");
    await service.cancelTask({ id: taskId }, call);
  },
};
