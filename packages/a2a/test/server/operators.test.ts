import { describe, expect, it } from "vitest";
import type { CallContext } from "../../src/protocol/internal.js";
import { callBy, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../support/runtime/open-test-runtime.js";
import { collect } from "../support/streams.js";
import { refusalCode, stateOf, taskOf } from "../support/runtime/answers.js";

const acme = { tenant: "acme" };

function operator(scope: string, tenant?: string): CallContext {
  return {
    version: "1.0",
    ...(tenant !== undefined && { tenant }),
    principal: { subject: "olga", scopes: ["profile", scope] },
  };
}

async function openAgent(operatorScope?: string) {
  const runtime = await openTestRuntime({
    run: async ({ ask }) => {
      await ask("?");
    },
    capabilities: { pushNotifications: true },
    settings: { hasAuthentication: true, ...(operatorScope !== undefined && { operatorScope }) },
  });
  const make = async (by: CallContext): Promise<string> =>
    taskOf(await runtime.service.sendMessage(say("go", { contextId: "c" }), by)).id;
  const ids = {
    ann: await make(callBy("ann", acme)),
    bob: await make(callBy("bob", acme)),
    eve: await make(callBy("eve", { tenant: "other" })),
    joe: await make(callBy("joe")),
  };
  return { runtime, ids, [Symbol.asyncDispose]: () => runtime[Symbol.asyncDispose]() };
}

async function listed({ service }: TestRuntime, by: CallContext, filter = {}): Promise<string[]> {
  const { tasks, totalSize } = await service.listTasks(filter, by);
  expect(totalSize).toBe(tasks.length);
  return tasks.map(({ id }) => id).toSorted();
}

describe("an operator", () => {
  it("of everything lists, reads, watches and cancels everyone's tasks", async () => {
    await using opened = await openAgent();
    const { runtime, ids } = opened;
    const olga = operator("a2a:operator");
    expect(await listed(runtime, olga)).toEqual(Object.values(ids).toSorted());
    expect(await listed(runtime, olga, { contextId: "c" })).toHaveLength(4);
    for (const id of Object.values(ids)) {
      expect((await runtime.service.getTask({ id }, olga)).id).toBe(id);
      for await (const { response } of runtime.service.subscribeToTask({ id }, olga)) {
        expect(response.task?.id).toBe(id);
        break;
      }
      expect(await runtime.service.createdIn(id, olga)).toBe("1.0");
      expect(stateOf(await runtime.service.cancelTask({ id }, olga))).toBe("canceled");
    }
  });

  it("of everything who names a tenant means that one", async () => {
    await using opened = await openAgent();
    const { runtime, ids } = opened;
    const olga = operator("a2a:operator", "acme");
    expect(await listed(runtime, olga)).toEqual([ids.ann, ids.bob].toSorted());
    const attempt = runtime.service.getTask({ id: ids.eve }, olga);
    expect(await refusalCode(attempt)).toBe("TASK_NOT_FOUND");
  });

  it("of one tenant reaches that tenant's tasks, and of others nothing, whatever it names", async () => {
    await using opened = await openAgent();
    const { runtime, ids } = opened;
    const inAcme = operator("a2a:operator:acme", "acme");
    expect(await listed(runtime, inAcme)).toEqual([ids.ann, ids.bob].toSorted());
    expect(stateOf(await runtime.service.cancelTask({ id: ids.ann }, inAcme))).toBe("canceled");
    for (const tenant of [undefined, "", "other"]) {
      const elsewhere = operator("a2a:operator:acme", tenant);
      expect(await listed(runtime, elsewhere)).toEqual([]);
      for (const id of Object.values(ids)) {
        const attempt = runtime.service.getTask({ id }, elsewhere);
        expect(await refusalCode(attempt)).toBe("TASK_NOT_FOUND");
      }
    }
    for (const id of [ids.eve, ids.joe]) {
      expect(await refusalCode(runtime.service.cancelTask({ id }, inAcme))).toBe("TASK_NOT_FOUND");
    }
  });

  it("sends no message to another's task and sees nothing of its push configurations", async () => {
    await using opened = await openAgent();
    const { runtime, ids } = opened;
    const { service } = runtime;
    const taskId = ids.ann;
    const config = { taskId, id: "c", url: "https://hook.example/" };
    await service.createTaskPushNotificationConfig(config, callBy("ann", acme));
    const before = await runtime.store.load(taskId);
    for (const olga of [operator("a2a:operator"), operator("a2a:operator:acme", "acme")]) {
      const attempts = [
        service.sendMessage(say("x", { taskId }), olga),
        collect(service.sendStreamingMessage(say("x", { taskId }), olga)),
        service.createTaskPushNotificationConfig(config, olga),
        service.getTaskPushNotificationConfig({ taskId, id: "c" }, olga),
        service.listTaskPushNotificationConfigs({ taskId }, olga),
        service.deleteTaskPushNotificationConfig({ taskId, id: "c" }, olga),
      ];
      for (const attempt of attempts) expect(await refusalCode(attempt)).toBe("TASK_NOT_FOUND");
    }
    expect(await runtime.store.load(taskId)).toEqual(before);
  });

  it("does not find others' messages by their ids, nor refer an agent to their tasks", async () => {
    await using runtime = await openTestRuntime({
      settings: { hasAuthentication: true },
      run: async ({ referencedTasks, earlierTasks, ask }) => {
        const [referenced, earlier] = [await referencedTasks(), await earlierTasks()];
        await ask(`${referenced.length} referenced, ${earlier.length} earlier`);
      },
    });
    const ann = callBy("ann", { version: "0.3" });
    const members = { messageId: "m1", contextId: "c" };
    const { id } = taskOf(await runtime.service.sendMessage(say("go", members), ann));
    const olga = operator("a2a:operator");
    const byMessage = runtime.service.getTask({ id: "m1" }, { ...olga, version: "0.3" });
    expect(await refusalCode(byMessage)).toBe("TASK_NOT_FOUND");
    const sent = say("go", { referenceTaskIds: [id], contextId: "c" });
    const { status } = taskOf(await runtime.service.sendMessage(sent, olga));
    expect(status.message?.parts).toEqual([{ text: "0 referenced, 0 earlier" }]);
  });

  it("has the scope that was configured, and no other makes one", async () => {
    await using opened = await openAgent("ops.admin");
    const { runtime, ids } = opened;
    expect(await listed(runtime, operator("ops.admin"))).toHaveLength(4);
    for (const scope of ["a2a:operator", "ops", "ops.admin ", "ops.admin:", "OPS.ADMIN", ""]) {
      const olga = operator(scope);
      expect(await listed(runtime, olga)).toEqual([]);
      const attempt = runtime.service.cancelTask({ id: ids.ann }, olga);
      expect(await refusalCode(attempt)).toBe("TASK_NOT_FOUND");
    }
  });
});
