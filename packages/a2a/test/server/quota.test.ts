import { describe, expect, it } from "vitest";
import type { A2AError } from "../../src/protocol/internal.js";
import type { RuntimeSettings } from "../../src/server/index.js";
import { intercept } from "../support/runtime/intercept.js";
import { callBy, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import { artifactText, refusal, stateOf, taskOf } from "../support/runtime/answers.js";
import { createGate } from "../support/time/gate.js";
import { settle, until } from "../support/time/until.js";

const ann = callBy("ann");

describe("what an owner may keep", () => {
  it("is so many tasks: a further one is refused before anything is stored, others' are not", async () => {
    await using runtime = await openTestRuntime({
      run: ({ message: { parts } }) => ({ inputRequired: `${parts.length}` }),
      settings: { maxTasksPerPrincipal: 2, retentionMs: 1000 },
    });
    const { service } = runtime;
    const first = taskOf(await service.sendMessage(say("a"), ann));
    await service.sendMessage(say("b"), ann);
    const error = await refusal(service.sendMessage(say("c"), ann));
    expect([error.code, error.message]).toEqual([
      "RESOURCE_EXHAUSTED",
      "you have 2 tasks and kept replies, the limit is 2",
    ]);
    expect(error.details.retryAfterSeconds).toBe(3600);
    expect((await service.listTasks({}, ann)).totalSize).toBe(2);
    // Naming another tenant does not make another caller.
    expect((await refusal(service.sendMessage(say("c"), { ...ann, tenant: "t" }))).code).toBe(
      "RESOURCE_EXHAUSTED",
    );
    await service.sendMessage(say("c"), callBy("bob"));
    // A task that is there is gone on with.
    await service.sendMessage(say("more", { taskId: first.id }), ann);
    // What retention deletes makes room.
    await service.cancelTask({ id: first.id }, ann);
    await runtime.clock.advance(120_000);
    expect(taskOf(await service.sendMessage(say("c"), ann)).id).toBeDefined();
  });

  it("is so many bytes: neither new tasks nor messages add to what is too much", async () => {
    await using runtime = await openTestRuntime({
      run: ({ text }) => ({ inputRequired: text }),
      settings: { maxBytesPerPrincipal: 5000 },
    });
    const { service } = runtime;
    const { id: taskId } = taskOf(await service.sendMessage(say("x".repeat(1000)), ann));
    await service.sendMessage(say("y".repeat(3000), { taskId }), ann);
    const { bytes } = await runtime.store.loadUsage("ann", "Tested");
    expect(bytes).toBeGreaterThan(5000);
    const before = await runtime.store.load(taskId);
    for (const members of [{}, { taskId }]) {
      const error = await refusal(service.sendMessage(say("z", members), ann));
      expect([error.code, error.message]).toEqual([
        "RESOURCE_EXHAUSTED",
        `your tasks take up ${bytes} bytes, the limit is 5000`,
      ]);
    }
    expect(await runtime.store.load(taskId)).toEqual(before);
    await service.sendMessage(say("z"), callBy("bob"));
  });
});

describe("what is no task", () => {
  const earlier = callBy("ann", { version: "0.3" });

  it.each([
    ["a reply that an earlier version may get again", earlier],
    ["a reply with an idempotency key", callBy("ann", { idempotencyKey: "1" })],
  ])("counts as one while it is kept: %s", async (_, by) => {
    await using runtime = await openTestRuntime({
      run: ({ text }) => text,
      settings: { maxTasksPerPrincipal: 1, idempotencyMs: 60_000 },
    });
    const { service, clock } = runtime;
    const { message } = await service.sendMessage(say("a"), by);
    expect(message?.parts).toEqual([{ text: "a" }]);
    const error = await refusal(service.sendMessage(say("b"), earlier));
    expect([error.code, error.message]).toEqual([
      "RESOURCE_EXHAUSTED",
      "you have 1 tasks and kept replies, the limit is 1",
    ]);
    await service.sendMessage(say("b"), callBy("bob", { version: "0.3" }));
    await clock.advance(180_000);
    await service.sendMessage(say("b"), earlier);
  });

  it("takes up bytes: replies that are kept", async () => {
    await using runtime = await openTestRuntime({
      run: ({ text }) => text,
      settings: { maxBytesPerPrincipal: 5000 },
    });
    const { service } = runtime;
    // A reply is kept with the message that it answers.
    for (let count = 0; count < 5; count += 1) {
      await service.sendMessage(say("x".repeat(400)), earlier);
    }
    expect((await refusal(service.sendMessage(say("x"), earlier))).message).toMatch(
      /^your tasks take up 5\d{3} bytes, the limit is 5000$/,
    );
  });

  it("takes up bytes: push configurations", async () => {
    await using runtime = await openTestRuntime({
      run: () => ({ inputRequired: "?" }),
      capabilities: { pushNotifications: true },
      settings: { maxBytesPerPrincipal: 5000 },
    });
    const { service } = runtime;
    const { id: taskId } = taskOf(await service.sendMessage(say("go"), ann));
    const url = `https://hook.example/${"x".repeat(1000)}`;
    const create = (id: string) =>
      service.createTaskPushNotificationConfig({ taskId, id, url }, ann);
    for (const id of ["a", "b", "c", "d", "e"]) await create(id);
    expect((await refusal(create("f"))).code).toBe("RESOURCE_EXHAUSTED");
    expect((await refusal(service.sendMessage(say("more"), ann))).code).toBe("RESOURCE_EXHAUSTED");
    await service.deleteTaskPushNotificationConfig({ taskId, id: "a" }, ann);
    await create("a");
  });
});

describe("what arrives at the same moment at two nodes", () => {
  /** Two runtimes over one store, whose every answer takes a moment. */
  async function openNodes(settings: Partial<RuntimeSettings>) {
    const options = {
      run: ({ text }: { readonly text: string }) =>
        text === "reply" ? "reply" : { inputRequired: "?" },
      capabilities: { pushNotifications: true },
      settings,
      latency: () => new Promise<void>((resolve) => setImmediate(resolve)),
    };
    const one = await openTestRuntime(options);
    const { store, clock, bus } = one;
    const two = await openTestRuntime({ ...options, store, clock, bus });
    return {
      nodes: [one.service, two.service] as const,
      store,
      async [Symbol.asyncDispose]() {
        await one[Symbol.asyncDispose]();
        await two[Symbol.asyncDispose]();
      },
    };
  }

  const countCodes = async (calls: readonly Promise<unknown>[]) => {
    const codes = (await Promise.allSettled(calls)).map((outcome) =>
      outcome.status === "fulfilled" ? "ok" : (outcome.reason as A2AError).code,
    );
    return { ok: codes.filter((code) => code === "ok").length, codes: new Set(codes) };
  };
  const codes = new Set(["ok", "RESOURCE_EXHAUSTED"]);

  it.each(["go", "reply"])(
    "is no more tasks and replies than a caller may have: %s",
    async (text) => {
      await using opened = await openNodes({ maxTasksPerPrincipal: 5 });
      const { nodes, store } = opened;
      const earlier = callBy("ann", { version: "0.3" });
      const calls = Array.from({ length: 40 }, (_, index) =>
        nodes[(index % 2) as 0 | 1].sendMessage(say(text), earlier),
      );
      expect(await countCodes(calls)).toEqual({ ok: 5, codes });
      expect((await store.loadUsage("ann", "Tested")).tasks).toBe(5);
    },
  );

  it("is no more push configurations than a task may have, sent by themselves or with messages", async () => {
    await using opened = await openNodes({});
    const { nodes, store } = opened;
    const { id: taskId } = taskOf(await nodes[0].sendMessage(say("go"), ann));
    const calls = Array.from({ length: 120 }, (_, index) => {
      const config = { id: `${index}`, url: "https://hook.example/" };
      const node = nodes[(index % 2) as 0 | 1];
      if (index % 30 !== 0) {
        return node.createTaskPushNotificationConfig({ taskId, ...config }, ann);
      }
      const configuration = { taskPushNotificationConfig: config, returnImmediately: true };
      return node.sendMessage(say("more", { taskId }, { configuration }), ann);
    });
    expect(await countCodes(calls)).toEqual({ ok: 100, codes });
    expect(await store.listPushConfigs(taskId, undefined, 1000)).toHaveLength(100);
  });
});

it("a message that is one too many for its caller takes nothing of what the run tells with it", async () => {
  const [told, rest] = [createGate(), createGate()];
  await using runtime = await openTestRuntime({
    async *run() {
      yield "a";
      await told.opened;
      yield "b";
      yield "c";
      await rest.opened;
      yield "d";
    },
    capabilities: { pushNotifications: true },
  });
  const { service, store } = runtime;
  const { id: taskId } = taskOf(await service.sendMessage(sayAndLeave("go"), ann));
  const url = "https://hook.example/";
  for (let id = 0; id < 100; id += 1) {
    await service.createTaskPushNotificationConfig({ taskId, id: `${id}`, url }, ann);
  }
  // While one output is on its way, the next one and the message wait for their turn.
  const written = createGate();
  const stop = intercept(store, "append", () => written.opened);
  told.open();
  await settle();
  const configuration = { taskPushNotificationConfig: { id: "101", url } };
  const sent = refusal(service.sendMessage(say("more", { taskId }, { configuration }), ann));
  await settle();
  stop();
  written.open();
  expect((await sent).code).toBe("RESOURCE_EXHAUSTED");
  rest.open();
  await until(async () => stateOf(await service.getTask({ id: taskId }, ann)) === "completed");
  expect(artifactText(await service.getTask({ id: taskId }, ann))).toBe("abcd");
});

describe("runs of many callers", () => {
  it("take turns, so that one with a hundred runs does not hold up one with a single run", async () => {
    const order: string[] = [];
    await using runtime = await openTestRuntime({
      run: async ({ text, caller }) => {
        order.push(`${caller?.subject} ${text}`);
        await Promise.resolve();
        return text;
      },
      settings: { maxConcurrentRuns: 1, maxQueuedRunsPerPrincipal: 200 },
    });
    const crowd = Array.from({ length: 100 }, (_, index) =>
      runtime.service.sendMessage(say(String(index)), ann),
    );
    const single = runtime.service.sendMessage(say("only"), callBy("bob"));
    await Promise.all([...crowd, single]);
    expect(order.indexOf("bob only")).toBeLessThan(3);
    expect(order).toHaveLength(101);
  });
});
