import { describe, expect, it, vi } from "vitest";
import { createDeferred } from "../../src/async/internal.js";
import { A2AError } from "../../src/protocol/internal.js";
import { agent, openRuntime } from "../../src/server/index.js";
import { textOf } from "../../src/server/internal.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { verifies } from "../spec/verifies.js";
import { intercept } from "../support/runtime/intercept.js";
import { call, openTestRuntime, say, sayAndLeave } from "../support/runtime/open-test-runtime.js";
import { artifactText, refusal, stateOf, taskOf } from "../support/runtime/answers.js";
import { collect } from "../support/streams.js";
import { settle, until } from "../support/time/until.js";

const secret = "disk /var/lib/secret is full";

/** A store that fails, by the names of its methods, as long as it is told to. */
function createFailingStore() {
  const clock = createTestClock();
  const store = createMemoryStore({ clock });
  const failing = new Set<string>();
  const names = ["append", "load", "loadRecord", "read", "list", "claim", "renewNode"] as const;
  for (const name of names) {
    intercept(store, name, () => {
      if (failing.has(name)) throw new Error(secret);
    });
  }
  return { store, clock, failing, names };
}

describe("when the store fails", () => {
  it.each(["sendMessage", "getTask", "listTasks", "cancelTask", "subscribeToTask"] as const)(
    "a caller of %s is told a reference and nothing else",
    async (operation) => {
      verifies("error:code-and-message");
      const { store, clock, failing, names } = createFailingStore();
      await using runtime = await openTestRuntime({
        run: () => ({ inputRequired: "?" }),
        store,
        clock,
      });
      const { id } = taskOf(await runtime.service.sendMessage(say("go"), call()));
      for (const name of names) failing.add(name);
      const { service } = runtime;
      const calls = {
        sendMessage: () => service.sendMessage(say("go"), call()),
        getTask: () => service.getTask({ id }, call()),
        listTasks: () => service.listTasks({}, call()),
        cancelTask: () => service.cancelTask({ id }, call()),
        subscribeToTask: () => collect(service.subscribeToTask({ id }, call())),
      };
      const error = await refusal(calls[operation]());
      failing.clear();
      expect(error.code).toBe("INTERNAL");
      expect(JSON.stringify([error.message, error.details])).not.toContain(secret);
      const [reported] = runtime.reports;
      expect(error.message).toBe(`Internal error (${reported?.reference})`);
      expect(String(reported?.error)).toContain(secret);
      expect(runtime.watched).toBe(0);
    },
  );

  it("a task that it takes long to refuse is not taken for a deleted one", async () => {
    const { store, clock } = createFailingStore();
    const refused = createDeferred<never>();
    await using runtime = await openTestRuntime({
      run: () => ({ inputRequired: "?" }),
      store,
      clock,
    });
    intercept(store, "append", () => refused.promise);
    const sent = refusal(runtime.service.sendMessage(say("go"), call()));
    // Tasks in memory are polled meanwhile, and this one is not in the store.
    await clock.advance(40_000);
    refused.reject(new A2AError("UNAVAILABLE", "the disk is full"));
    expect((await sent).message).toBe("the disk is full");
    await settle();
    expect(runtime.reports).toEqual([]);
    expect(runtime.watched).toBe(0);
  });

  it("what its own cards throw is no caller's business either", async () => {
    await using runtime = await openTestRuntime({
      run: () => "",
      extendedCard: () => {
        throw new Error(secret);
      },
      settings: { extendedCardForAnyone: true },
    });
    const error = await refusal(runtime.service.getExtendedAgentCard({}, call()));
    expect(error.code).toBe("INTERNAL");
    expect(error.message).not.toContain(secret);
  });

  it.each([true, false])(
    "a run leaves no hole, and its task does not stay (durable: %s)",
    async (durable) => {
      for (const failAfter of [1, 2, 5, 20]) {
        const { store, clock, failing } = createFailingStore();
        let appends = 0;
        const clean: string[] = [];
        await using runtime = await openTestRuntime({
          durable,
          store,
          clock,
          run: async function* () {
            try {
              for (let count = 0; count < 200; count += 1) {
                yield `${count} `;
                if (count % 7 === 0) await settle();
              }
            } finally {
              clean.push("clean");
            }
          },
          settings: { leaseMs: 12_000 },
        });
        const stopCounting = intercept(store, "append", () => {
          appends += 1;
          if (appends > failAfter) failing.add("append");
        });
        const { id } = taskOf(await runtime.service.sendMessage(sayAndLeave("go"), call()));
        await until(() => runtime.reports.length > 0, "a report");
        await until(() => clean.length === 1, "the handler to be ended");
        expect(stateOf(await runtime.service.getTask({ id }, call()))).toBe("working");
        stopCounting();
        failing.clear();
        await runtime.clock.advance(12_000);
        await until(
          async () => stateOf(await runtime.service.getTask({ id }, call())) !== "working",
        );
        const task = await runtime.service.getTask({ id }, call());
        const said = (artifactText(task) ?? "").trim().split(" ").filter(Boolean).map(Number);
        expect(said).toEqual(Array.from(said.keys()));
        expect(stateOf(task)).toBe(durable ? "completed" : "failed");
        if (durable) expect(said).toHaveLength(200);
        expect(runtime.watched).toBe(0);
      }
    },
  );

  it("one write that fails is followed by none", async () => {
    const { store, clock, failing } = createFailingStore();
    await using runtime = await openTestRuntime({
      store,
      clock,
      run: async function* () {
        for (let count = 0; count < 50; count += 1) {
          yield `${count} `;
          await settle();
        }
      },
    });
    let appends = 0;
    intercept(store, "append", () => {
      appends += 1;
      if (appends === 5) failing.add("append");
      else failing.delete("append");
    });
    const { id } = taskOf(await runtime.service.sendMessage(sayAndLeave("go"), call()));
    await until(() => runtime.reports.length > 0, "a report");
    await settle();
    await runtime.clock.advance(15_000);
    const task = await runtime.service.getTask({ id }, call());
    const said = (artifactText(task) ?? "").trim().split(" ").map(Number);
    expect(said).toEqual(Array.from(said.keys()));
    expect([stateOf(task), said.length < 50]).toEqual(["failed", true]);
  });

  it.each(["load", "read", "loadRecord"] as const)(
    "a task that was woken is worked on when %s works again",
    async (name) => {
      const { store, clock, failing } = createFailingStore();
      await using runtime = await openTestRuntime({
        durable: true,
        store,
        clock,
        run: async ({ ask }) => {
          await ask("?");
          return "done";
        },
        settings: { leaseMs: 12_000 },
      });
      const { id: taskId } = taskOf(await runtime.service.sendMessage(say("go"), call()));
      const stream = runtime.service
        .subscribeToTask({ id: taskId }, call())
        [Symbol.asyncIterator]();
      await stream.next();
      // The store fails right after it has taken the message in.
      const stop = intercept(store, "append", () => {
        stop();
        queueMicrotask(() => failing.add(name));
      });
      const sending = runtime.service.sendMessage(sayAndLeave("on", { taskId }), call());
      await sending.catch(() => undefined);
      await settle();
      failing.clear();
      await runtime.clock.advance(12_000);
      const task = await runtime.service.getTask({ id: taskId }, call());
      expect([stateOf(task), artifactText(task)]).toEqual(["completed", "done"]);
      await stream.return?.();
      expect(runtime.watched).toBe(0);
    },
  );

  it("a failed recovery does not hold up the others", async () => {
    const { store, clock } = createFailingStore();
    await using one = await openTestRuntime({
      store,
      clock,
      run: async function* () {
        yield "x";
        await new Promise(() => undefined);
      },
    });
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      ids.push(taskOf(await one.service.sendMessage(sayAndLeave("go"), call())).id);
    }
    one.freeze();
    await one.clock.advance(20_000);
    const stop = intercept(store, "load", (id) => {
      if (id === ids[1]) throw new Error(secret);
    });
    await using two = await openTestRuntime({ store, clock, run: () => "" });
    const states = async () =>
      Promise.all(ids.map(async (id) => (await store.loadRecord(id))?.state.slice(11)));
    expect(await states()).toEqual(["FAILED", "WORKING", "FAILED"]);
    expect(two.reports.map(({ taskId }) => taskId)).toContain(ids[1]);
    stop();
    await one.clock.advance(20_000);
    expect(await states()).toEqual(["FAILED", "FAILED", "FAILED"]);
  });

  it("a lease that cannot be renewed is renewed when it can", async () => {
    const { store, clock, failing } = createFailingStore();
    await using runtime = await openTestRuntime({
      store,
      clock,
      run: () => "x",
      settings: { leaseMs: 4000 },
    });
    failing.add("renewNode");
    await runtime.clock.advance(4000);
    expect(runtime.reports.length).toBeGreaterThan(3);
    failing.clear();
    await runtime.clock.advance(4000);
    const before = runtime.reports.length;
    await runtime.clock.advance(4000);
    expect(runtime.reports.length).toBe(before);
  });
});

it("a handler that waits while a step beside it cannot be recorded is begun again by its answer", async () => {
  const { store, clock, failing } = createFailingStore();
  const gate = createDeferred<void>();
  await using runtime = await openTestRuntime({
    store,
    clock,
    run: async ({ step, ask }) => {
      const beside = step("beside", async () => {
        await gate.promise;
        return "recorded";
      });
      const answer = textOf(await ask("Which?"));
      return `${answer}, ${await beside}`;
    },
  });
  const { id } = taskOf(await runtime.service.sendMessage(say("go"), call()));
  failing.add("append");
  gate.resolve();
  await until(() => runtime.reports.length > 0);
  failing.clear();
  expect(runtime.watched).toBe(0);
  const task = taskOf(await runtime.service.sendMessage(say("this", { taskId: id }), call()));
  expect(artifactText(task)).toBe("this, recorded");
});

it.each([0, 1])(
  "a task that cannot be failed when nobody answers does not hold up the others (%i)",
  async (which) => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    await using runtime = await openTestRuntime({
      store,
      clock,
      settings: { waitingRetentionMs: 60_000 },
      run: async ({ ask }) => textOf(await ask("Which?")),
    });
    const { service } = runtime;
    const ids: string[] = [];
    for (const text of ["older", "newer"]) {
      ids.push(taskOf(await service.sendMessage(say(text), call())).id);
      await clock.advance(100);
    }
    const mend = intercept(store, "append", ({ taskId }) => {
      if (taskId === ids[which]) throw new Error(secret);
    });
    await clock.advance(120_000);
    await settle();
    const states = ids.map(async (id) => stateOf(await service.getTask({ id }, call())));
    mend();
    const expected = ["failed", "failed"].with(which, "input_required");
    expect(await Promise.all(states)).toEqual(expected);
    expect(runtime.reports.every(({ taskId }) => taskId === ids[which])).toBe(true);
  },
);

it("a report that throws keeps no task from its end", async () => {
  const logged = vi.spyOn(console, "error").mockReturnValue(undefined);
  await using runtime = await openRuntime({
    agent: agent({
      name: "Tested",
      description: "An agent under test",
      run: () => {
        throw new Error("a mistake");
      },
    }),
    store: createMemoryStore(),
    report: () => {
      throw new Error("no connection");
    },
  });
  const task = taskOf(await runtime.sendMessage(say("go"), call()));
  expect(stateOf(task)).toBe("failed");
  expect(logged.mock.calls.map(([line]) => String(line).split("\n", 1)[0])).toEqual([
    expect.stringContaining(
      "run.failed       The handler failed; its caller was told the reference: Error: a mistake",
    ),
    expect.stringContaining("Error: no connection"),
  ]);
  logged.mockRestore();
});
