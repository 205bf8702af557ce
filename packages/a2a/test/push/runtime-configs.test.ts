import { describe, expect, it } from "vitest";
import type { AgentService, TaskPushNotificationConfig } from "../../src/protocol/internal.js";
import { verifies } from "../spec/verifies.js";
import { createDeferred } from "../support/time/deferred.js";
import { intercept } from "../support/runtime/intercept.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import { collect } from "../support/streams.js";
import { refusal, refusalCode, taskOf, textIn } from "../support/runtime/answers.js";

const url = "https://hook.example/";

function openAgent(pushNotifications = true) {
  return openTestRuntime({
    run: async ({ text, ask }) => (text === "ask" ? textIn((await ask("?")).parts) : undefined),
    capabilities: { pushNotifications },
  });
}

async function makeTask(service: AgentService, text = "ask"): Promise<string> {
  return taskOf(await service.sendMessage(say(text), call())).id;
}

describe("an agent that sends no push notifications", () => {
  it("refuses every operation on them, and messages that bring a configuration", async () => {
    verifies("push:capability", "push:inline-capability");
    await using runtime = await openAgent(false);
    const { service } = runtime;
    const taskId = await makeTask(service);
    const attempts = [
      service.createTaskPushNotificationConfig({ taskId, url }, call()),
      service.getTaskPushNotificationConfig({ taskId, id: "c" }, call()),
      service.listTaskPushNotificationConfigs({ taskId }, call()),
      service.deleteTaskPushNotificationConfig({ taskId, id: "c" }, call()),
      service.sendMessage(withConfig({ url }), call()),
      service.sendMessage(withConfig({ url }, { taskId }), call()),
      collect(service.sendStreamingMessage(withConfig({ url }), call())),
    ];
    expect(new Set(await Promise.all(attempts.map(refusalCode)))).toEqual(
      new Set(["PUSH_NOTIFICATION_NOT_SUPPORTED"]),
    );
    expect((await service.listTasks({}, call())).totalSize).toBe(1);
  });
});

describe("push configurations", () => {
  it("are given an id: their own in 1.0, the task's before", async () => {
    verifies("push:create-assigns-id", "push:list-all");
    await using runtime = await openAgent();
    const { service } = runtime;
    const taskId = await makeTask(service);
    const create = (version: "0.1" | "0.3" | "1.0", id?: string) =>
      service.createTaskPushNotificationConfig(
        { taskId, url, ...(id !== undefined && { id }) },
        call({ version }),
      );
    const made = [await create("1.0"), await create("1.0"), await create("1.0", "mine")];
    expect(new Set(made.map(({ id }) => id)).size).toBe(3);
    expect(made[2]).toEqual({ taskId, id: "mine", url });
    expect((await create("0.3")).id).toBe(taskId);
    expect((await create("0.1")).id).toBe(taskId);
    const { configs } = await service.listTaskPushNotificationConfigs({ taskId }, call());
    expect(new Set(configs?.map(({ id }) => id))).toEqual(
      new Set([...made.map(({ id }) => id), taskId]),
    );
  });

  it("are replaced under the same id", async () => {
    await using runtime = await openAgent();
    const { service } = runtime;
    const taskId = await makeTask(service);
    await service.createTaskPushNotificationConfig({ taskId, id: "c", url, token: "old" }, call());
    await service.createTaskPushNotificationConfig({ taskId, id: "c", url: `${url}new` }, call());
    const { configs } = await service.listTaskPushNotificationConfigs({ taskId }, call());
    expect(configs).toEqual([{ taskId, id: "c", url: `${url}new` }]);
  });

  it("do not give secrets away", async () => {
    verifies("push:get-details");
    await using runtime = await openAgent();
    const { service } = runtime;
    const taskId = await makeTask(service);
    const config = {
      taskId,
      id: "c",
      url,
      token: "hunter2",
      authentication: { scheme: "Bearer", credentials: "hunter2", schemes: ["Bearer", "Basic"] },
      headers: { "X-Secret": "hunter2" },
    };
    // The answer confirms to the caller what it has just sent.
    expect(await service.createTaskPushNotificationConfig(config, call())).toEqual(config);
    const shown = {
      taskId,
      id: "c",
      url,
      authentication: { scheme: "Bearer", schemes: ["Bearer", "Basic"] },
    };
    expect(await service.getTaskPushNotificationConfig({ taskId, id: "c" }, call())).toEqual(shown);
    const { configs } = await service.listTaskPushNotificationConfigs({ taskId }, call());
    expect(configs).toEqual([shown]);
    // What delivers them has all of it.
    expect((await runtime.store.loadPushConfig(taskId, "c"))?.config).toEqual(config);
  });

  it("are read without an id before 1.0: the default one, else any one", async () => {
    verifies("push:get-missing");
    await using runtime = await openAgent();
    const { service } = runtime;
    const taskId = await makeTask(service);
    const old = call({ version: "0.3" });
    expect(await refusalCode(service.getTaskPushNotificationConfig({ taskId }, old))).toBe(
      "TASK_NOT_FOUND",
    );
    await service.createTaskPushNotificationConfig({ taskId, id: "a", url }, old);
    expect((await service.getTaskPushNotificationConfig({ taskId }, old)).id).toBe("a");
    await service.createTaskPushNotificationConfig({ taskId, url }, old);
    expect((await service.getTaskPushNotificationConfig({ taskId }, old)).id).toBe(taskId);
    const missing = service.getTaskPushNotificationConfig({ taskId, id: "b" }, call());
    expect((await refusal(missing)).code).toBe("TASK_NOT_FOUND");
  });

  it("are deleted for good, as often as one likes", async () => {
    verifies("push:delete-permanent", "push:delete-idempotent");
    await using runtime = await openAgent();
    const { service } = runtime;
    const taskId = await makeTask(service);
    await service.createTaskPushNotificationConfig({ taskId, id: "c", url }, call());
    for (let count = 0; count < 2; count += 1) {
      await service.deleteTaskPushNotificationConfig({ taskId, id: "c" }, call());
      expect(await service.listTaskPushNotificationConfigs({ taskId }, call())).toEqual({});
    }
  });

  it("can be made for a task that has ended, and are kept with it", async () => {
    verifies("push:persistent");
    await using runtime = await openAgent();
    const { service } = runtime;
    const taskId = await makeTask(service, "done");
    await service.createTaskPushNotificationConfig({ taskId, id: "c", url }, call());
    expect((await service.getTaskPushNotificationConfig({ taskId, id: "c" }, call())).url).toBe(
      url,
    );
  });

  it("are listed page by page", async () => {
    await using runtime = await openAgent();
    const { service } = runtime;
    const taskId = await makeTask(service);
    const ids = ["a", "b", "c", "d", "e"];
    for (const id of ids)
      await service.createTaskPushNotificationConfig({ taskId, id, url }, call());
    const seen: (string | undefined)[] = [];
    let pageToken: string | undefined;
    do {
      const page = await service.listTaskPushNotificationConfigs(
        { taskId, pageSize: 2, ...(pageToken !== undefined && { pageToken }) },
        call(),
      );
      seen.push(...(page.configs ?? []).map(({ id }) => id));
      pageToken = page.nextPageToken;
    } while (pageToken !== undefined);
    expect(seen).toEqual(ids);
  });

  it("are not without number", async () => {
    await using runtime = await openAgent();
    const { service } = runtime;
    const taskId = await makeTask(service);
    const create = (id: number) =>
      service.createTaskPushNotificationConfig({ taskId, id: `${id}`, url }, call());
    for (let id = 0; id < 100; id += 1) await create(id);
    expect(await refusalCode(create(100))).toBe("RESOURCE_EXHAUSTED");
    await create(0);
  });
});

describe("a configuration that comes with a message", () => {
  it.each(["blocking", "immediate", "streaming"])(
    "belongs to the task it makes: %s",
    async (how) => {
      verifies("send:inline-push-config");
      await using runtime = await openAgent();
      const { service } = runtime;
      const request = withConfig({ url, id: "c" }, {}, how === "immediate");
      const stream =
        how === "streaming" ? await collect(service.sendStreamingMessage(request, call())) : [];
      const task = stream[0]?.response.task ?? taskOf(await service.sendMessage(request, call()));
      const found = await service.getTaskPushNotificationConfig(
        { taskId: task.id, id: "c" },
        call(),
      );
      expect(found).toEqual({ taskId: task.id, id: "c", url });
    },
  );

  it("is written with the task's first event, so that it hears of everything", async () => {
    await using runtime = await openAgent();
    const written: unknown[] = [];
    intercept(runtime.store, "append", ({ pushConfig, expectedSequence }) =>
      written.push([expectedSequence, pushConfig?.config.url]),
    );
    intercept(runtime.store, "savePushConfig", () => written.push("by itself"));
    const { id } = taskOf(await runtime.service.sendMessage(withConfig({ url }), call()));
    expect(written[0]).toEqual([0, url]);
    const members = { taskId: id };
    await runtime.service.sendMessage(withConfig({ url: `${url}again` }, members), call());
    expect(written).toContainEqual([expect.any(Number), `${url}again`]);
    expect(written).not.toContain("by itself");
  });

  it("belongs to the task it continues", async () => {
    await using runtime = await openAgent();
    const { service } = runtime;
    const taskId = await makeTask(service);
    await service.sendMessage(withConfig({ url, id: "c" }, { taskId }), call());
    expect((await service.getTaskPushNotificationConfig({ taskId, id: "c" }, call())).url).toBe(
      url,
    );
  });

  it("belongs to nothing when the message makes no task", async () => {
    const gate = createDeferred<string>();
    await using runtime = await openTestRuntime({
      run: () => gate.promise,
      capabilities: { pushNotifications: true },
    });
    const saved: string[] = [];
    intercept(runtime.store, "savePushConfig", ({ taskId }) => saved.push(taskId));
    intercept(runtime.store, "append", ({ taskId }) => saved.push(taskId));
    const answer = runtime.service.sendMessage(withConfig({ url }), call());
    gate.resolve("Hi");
    expect((await answer).message).toBeDefined();
    expect(saved).toEqual([]);
  });
});

function withConfig(config: TaskPushNotificationConfig, members = {}, returnImmediately = false) {
  const request = returnImmediately ? sayAndLeave("ask", members) : say("ask", members);
  const configuration = { ...request.configuration, taskPushNotificationConfig: config };
  return { ...request, configuration };
}
