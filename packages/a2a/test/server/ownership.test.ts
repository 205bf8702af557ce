import { describe, expect, it } from "vitest";
import type { AgentService, CallContext, ProtocolOperation } from "../../src/protocol/internal.js";
import { operations } from "../../src/protocol/internal.js";
import { verifies } from "../spec/verifies.js";
import { call, callBy, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";
import { collect } from "../support/streams.js";
import { refusal, stateOf, taskOf } from "../support/runtime/answers.js";

/** Every operation on a task of this id, or with it. */
const attempts: Record<
  Exclude<ProtocolOperation, "listTasks" | "getExtendedAgentCard">,
  (service: AgentService, id: string, by: CallContext) => Promise<unknown>
> = {
  sendMessage: (service, taskId, by) => service.sendMessage(say("x", { taskId }), by),
  sendStreamingMessage: (service, taskId, by) =>
    collect(service.sendStreamingMessage(say("x", { taskId }), by)),
  getTask: (service, id, by) => service.getTask({ id }, by),
  cancelTask: (service, id, by) => service.cancelTask({ id }, by),
  subscribeToTask: (service, id, by) => collect(service.subscribeToTask({ id }, by)),
  createTaskPushNotificationConfig: (service, taskId, by) =>
    service.createTaskPushNotificationConfig({ taskId, url: "https://hook.example/" }, by),
  getTaskPushNotificationConfig: (service, taskId, by) =>
    service.getTaskPushNotificationConfig({ taskId, id: "c" }, by),
  listTaskPushNotificationConfigs: (service, taskId, by) =>
    service.listTaskPushNotificationConfigs({ taskId }, by),
  deleteTaskPushNotificationConfig: (service, taskId, by) =>
    service.deleteTaskPushNotificationConfig({ taskId, id: "c" }, by),
};

const ann = callBy("ann", { tenant: "acme" });

const strangers: [string, CallContext][] = [
  ["another caller", callBy("bob", { tenant: "acme" })],
  ["the same caller of another tenant", callBy("ann", { tenant: "other" })],
  ["the same caller of no tenant", callBy("ann")],
  ["nobody in particular", call({ tenant: "acme" })],
  ["one whose name is made up of both", callBy("acme/ann")],
];

function openAgent(hasAuthentication = true) {
  return openTestRuntime({
    run: async ({ text, ask }) => {
      await ask(text);
    },
    capabilities: { pushNotifications: true },
    extendedCard: (card) => card,
    settings: { hasAuthentication },
  });
}

describe("somebody else's task", () => {
  it.each(strangers)(
    "is, to %s, one there is not, whatever is done with it",
    async (_, stranger) => {
      verifies(
        "auth:existence-hidden",
        "auth:every-operation",
        "auth:task-operations",
        "auth:scope",
      );
      verifies("push:create-unknown-task", "push:list-unknown-task", "push:delete-unknown-task");
      verifies("push:get-hidden", "error:not-found");
      await using runtime = await openAgent();
      const { id } = taskOf(await runtime.service.sendMessage(say("hello"), ann));
      const config = { taskId: id, id: "c", url: "https://hook.example/" };
      await runtime.service.createTaskPushNotificationConfig(config, ann);
      const before = await runtime.store.load(id);
      for (const attempt of Object.values(attempts)) {
        const theirs = await refusal(attempt(runtime.service, id, stranger));
        const missing = await refusal(attempt(runtime.service, "0".repeat(36), stranger));
        expect(theirs.code).toBe("TASK_NOT_FOUND");
        expect(theirs.message.replace(id, "ID")).toBe(
          missing.message.replace("0".repeat(36), "ID"),
        );
        expect(theirs.details).toEqual({ metadata: { taskId: id } });
        expect(Object.keys(theirs.details)).toEqual(Object.keys(missing.details));
      }
      expect(await runtime.store.load(id)).toEqual(before);
      const configs = await runtime.service.listTaskPushNotificationConfigs({ taskId: id }, ann);
      expect(configs.configs).toHaveLength(1);
      // Its own handler waits.
      expect(runtime.watched).toBe(1);
    },
  );

  it("is in no list but its owner's", async () => {
    verifies("list:visible-only", "list:unfiltered-scope");
    await using runtime = await openAgent();
    const { id } = taskOf(await runtime.service.sendMessage(say("hello", { contextId: "c" }), ann));
    for (const [, stranger] of strangers) {
      for (const filter of [{}, { contextId: "c" }]) {
        const { tasks, totalSize } = await runtime.service.listTasks(filter, stranger);
        expect([tasks, totalSize]).toEqual([[], 0]);
      }
    }
    const { tasks } = await runtime.service.listTasks({}, ann);
    expect(tasks.map((task) => task.id)).toEqual([id]);
  });

  it.each(strangers)(
    "is, to %s, nothing to resume, and of no known origin",
    async (_, stranger) => {
      await using runtime = await openAgent();
      const { service } = runtime;
      const { id } = taskOf(await service.sendMessage(say("hello"), ann));
      for (const resumeAfter of [0, 1, 2, 999]) {
        const stream = service.subscribeToTask({ id }, { ...stranger, resumeAfter });
        expect((await refusal(collect(stream))).code).toBe("TASK_NOT_FOUND");
      }
      expect(await service.createdIn(id, stranger)).toBeUndefined();
      expect(await service.createdIn(id, ann)).toBe("1.0");
      // Its own handler waits.
      expect(runtime.watched).toBe(1);
    },
  );

  it.each(strangers)(
    "is, to an agent at work for %s, neither referenced nor earlier",
    async (_, stranger) => {
      await using runtime = await openTestRuntime({
        settings: { hasAuthentication: true },
        run: async ({ referencedTasks, earlierTasks, contextId, ask }) => {
          const found = [...(await referencedTasks()), ...(await earlierTasks())];
          await ask(`${found.length} found in ${contextId}`);
        },
      });
      const { service } = runtime;
      const first = taskOf(await service.sendMessage(say("hello", { contextId: "c" }), ann));
      const sent = { contextId: "c", referenceTaskIds: [first.id] };
      const theirs = taskOf(await service.sendMessage(say("hello", sent), stranger));
      expect(theirs.status.message?.parts).toEqual([{ text: "0 found in c" }]);
      const own = taskOf(await service.sendMessage(say("hello", sent), ann));
      expect(own.status.message?.parts).toEqual([{ text: "2 found in c" }]);
    },
  );

  it.each(strangers)("is not the answer to the idempotency key of %s", async (_, stranger) => {
    await using runtime = await openTestRuntime({
      settings: { hasAuthentication: true, idempotentMessageIds: true },
      run: ({ text }) => (text === "task" ? { inputRequired: "?" } : text),
    });
    const { service } = runtime;
    for (const text of ["task", "message"]) {
      const request = say(text);
      const keyed = (by: CallContext): CallContext => ({ ...by, idempotencyKey: `key of ${text}` });
      for (const key of [keyed, (by: CallContext) => by]) {
        const mine = await service.sendMessage(request, key(ann));
        const theirs = await service.sendMessage(request, key(stranger));
        const idOf = ({ task, message }: typeof mine) => task?.id ?? message?.messageId;
        expect(idOf(theirs)).not.toBe(idOf(mine));
        expect(idOf(await service.sendMessage(request, key(ann)))).toBe(idOf(mine));
      }
    }
  });

  it("is refused with what no operation leaves out", () => {
    const covered = [...Object.keys(attempts), "listTasks", "getExtendedAgentCard"];
    expect(covered.toSorted()).toEqual([...operations].toSorted());
  });
});

describe("callers who do not say who they are", () => {
  it("are not answered with each other's tasks, whatever keys they guess, where others say so", async () => {
    await using runtime = await openTestRuntime({
      settings: { hasAuthentication: true, idempotentMessageIds: true },
      run: () => ({ inputRequired: "?" }),
    });
    const request = say("go");
    const anyone = call({ idempotencyKey: "1" });
    const first = taskOf(await runtime.service.sendMessage(request, anyone));
    const second = taskOf(await runtime.service.sendMessage(request, anyone));
    expect(second.id).not.toBe(first.id);
  });

  it("list nothing and find nothing by context or message, where others say so", async () => {
    await using runtime = await openTestRuntime({
      run: async ({ earlierTasks, ask }) => {
        await ask(`${(await earlierTasks()).length} earlier`);
      },
      settings: { hasAuthentication: true },
    });
    const anyone = call({ version: "0.3" });
    const members = { contextId: "c", messageId: "m" };
    const first = taskOf(await runtime.service.sendMessage(say("a", members), anyone));
    const second = taskOf(await runtime.service.sendMessage(say("b", members), anyone));
    expect(second.status.message?.parts).toEqual([{ text: "0 earlier" }]);
    expect(await runtime.service.listTasks({}, anyone)).toEqual({
      tasks: [],
      nextPageToken: "",
      pageSize: 50,
      totalSize: 0,
    });
    expect((await refusal(runtime.service.getTask({ id: "m" }, anyone))).code).toBe(
      "TASK_NOT_FOUND",
    );
    expect((await runtime.service.getTask({ id: first.id }, anyone)).id).toBe(first.id);
    expect(stateOf(await runtime.service.cancelTask({ id: first.id }, anyone))).toBe("canceled");
  });

  it("are one caller where nobody says so", async () => {
    await using runtime = await openTestRuntime({
      run: async ({ earlierTasks, ask }) => {
        await ask(`${(await earlierTasks()).length} earlier`);
      },
    });
    await runtime.service.sendMessage(say("a", { contextId: "c" }), call());
    const { task } = await runtime.service.sendMessage(say("b", { contextId: "c" }), call());
    expect(task?.status.message?.parts).toEqual([{ text: "1 earlier" }]);
    expect((await runtime.service.listTasks({}, call())).totalSize).toBe(2);
  });

  it("get no extended card where others say so", async () => {
    verifies("extended-card:requires-authentication");
    await using runtime = await openAgent();
    expect((await refusal(runtime.service.getExtendedAgentCard({}, call()))).code).toBe(
      "UNAUTHENTICATED",
    );
  });
});

describe("agents that share a store", () => {
  it("do not see each other's tasks", async () => {
    await using one = await openTestRuntime({ name: "One", run: () => ({ inputRequired: "?" }) });
    await using two = await openTestRuntime({
      name: "Two",
      run: () => "x",
      store: one.store,
      clock: one.clock,
      capabilities: { pushNotifications: true },
    });
    const { id } = taskOf(await one.service.sendMessage(say("go", { messageId: "m" }), call()));
    for (const attempt of Object.values(attempts)) {
      expect((await refusal(attempt(two.service, id, call()))).code).toBe("TASK_NOT_FOUND");
    }
    expect((await two.service.listTasks({}, call())).totalSize).toBe(0);
    const old = call({ version: "0.3" });
    expect((await refusal(two.service.getTask({ id: "m" }, old))).code).toBe("TASK_NOT_FOUND");
    expect(await two.service.createdIn(id, call())).toBeUndefined();
    expect(await one.service.createdIn(id, call())).toBe("1.0");
  });
});

it.each(["\ud800", "a/b?#%", "client:///x", "  ", "ünï"])("an id is only an id: %j", async (id) => {
  await using runtime = await openTestRuntime({ run: () => "x" });
  for (const version of ["0.1", "1.0"] as const) {
    const error = await refusal(runtime.service.getTask({ id }, call({ version })));
    expect(error.code).toBe("TASK_NOT_FOUND");
  }
});
