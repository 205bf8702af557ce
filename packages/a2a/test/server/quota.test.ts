import { describe, expect, it } from "vitest";
import { callBy, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";
import { refusal, taskOf } from "../support/runtime/answers.js";

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
      "you have 2 tasks, the limit is 2",
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
