import { describe, expect, it } from "vitest";
import { createInProcessBus } from "../../src/bus/index.js";
import type { Handler } from "../../src/server/index.js";
import { hook, openPushing } from "../push/open-pushing.js";
import { refusalCode, stateOf, taskOf, textIn } from "../support/runtime/answers.js";
import { call, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";
import { watchInBackground } from "../support/streams.js";
import { settle, until } from "../support/time/until.js";

const second = 1000;
const settings = { waitingRetentionMs: 12 * second, suspendForMs: 24 * second, leaseMs: second };

const waiting: readonly (readonly [string, Handler, string])[] = [
  ["ask()", async ({ ask }) => textIn((await ask("Which?")).parts), "input_required"],
  [
    "authRequired()",
    async ({ authRequired }) => void (await authRequired("Who?")),
    "auth_required",
  ],
  ["{ inputRequired }", () => ({ inputRequired: "Which?" }), "input_required"],
];

describe("a task that has waited for its caller for longer than waitingRetentionMs", () => {
  it.each(waiting)("fails, and says so to its watchers: %s", async (_, run, state) => {
    await using runtime = await openTestRuntime({ run, settings });
    const { service, clock } = runtime;
    const { id } = taskOf(await service.sendMessage(say("go"), call()));
    const watching = watchInBackground(service.subscribeToTask({ id }, call()));
    await clock.advance(11 * second);
    expect(stateOf(await service.getTask({ id }, call()))).toBe(state);
    await clock.advance(2 * second);
    await watching.done;
    const { status } = await service.getTask({ id }, call());
    expect(status.state).toBe("TASK_STATE_FAILED");
    expect(textIn(status.message?.parts ?? [])).toBe("Nobody answered within 12 seconds.");
    expect(watching.events.at(-1)?.response.statusUpdate?.status).toEqual(status);
    expect(runtime.watched).toBe(0);
    expect(runtime.reports).toEqual([]);
  });

  it.each(["the same node", "another node"])("lets its handler end, on %s", async (where) => {
    const heard: string[] = [];
    const run: Handler = async ({ ask, signal }) => {
      try {
        await ask("Which?");
      } catch {
        heard.push("rejected");
      } finally {
        heard.push(signal.aborted ? "aborted" : "finally");
      }
    };
    const bus = createInProcessBus();
    await using holder = await openTestRuntime({
      run,
      bus,
      settings: {
        ...settings,
        ...(where === "another node" && { waitingRetentionMs: 90 * second }),
      },
    });
    const { store, clock, service } = holder;
    await using keeper = await openTestRuntime({ run, bus, store, clock, settings });
    const { id } = taskOf(await service.sendMessage(say("go"), call()));
    await clock.advance(13 * second);
    await until(() => heard.length === 2, "the handler to end");
    expect(heard).toEqual(["rejected", "aborted"]);
    expect(service.figures().suspended.waiting).toBe(0);
    expect(stateOf(await keeper.service.getTask({ id }, call()))).toBe("failed");
  });

  it("takes no more answers, and is deleted when retentionMs have passed, too", async () => {
    await using runtime = await openTestRuntime({
      run: () => ({ inputRequired: "Which?" }),
      settings: { ...settings, retentionMs: 20 * second },
    });
    const { service, clock } = runtime;
    const { id } = taskOf(await service.sendMessage(say("go"), call()));
    await clock.advance(13 * second);
    const answer = service.sendMessage(say("this", { taskId: id }), call());
    expect(await refusalCode(answer)).toBe("UNSUPPORTED_OPERATION");
    await clock.advance(18 * second);
    expect(stateOf(await service.getTask({ id }, call()))).toBe("failed");
    await clock.advance(23 * second);
    expect(await refusalCode(service.getTask({ id }, call()))).toBe("TASK_NOT_FOUND");
  });

  it("waits on if its caller has answered in time", async () => {
    await using runtime = await openTestRuntime({
      run: async ({ ask }) => {
        await ask("Which?");
        await ask("And when?");
      },
      settings,
    });
    const { service, clock } = runtime;
    const { id } = taskOf(await service.sendMessage(say("go"), call()));
    await clock.advance(10 * second);
    await service.sendMessage(say("this", { taskId: id }), call());
    await clock.advance(10 * second);
    expect(stateOf(await service.getTask({ id }, call()))).toBe("input_required");
  });

  it("is told to its push configurations", async () => {
    await using runtime = await openPushing({
      run: async ({ ask }) => textIn((await ask("Which?")).parts),
      settings,
    });
    const { receivers, clock } = runtime;
    await runtime.pushTo(hook);
    await settle();
    await clock.advance(13 * second);
    const states = () =>
      receivers.arrivedAt(hook).map(({ event }) => event.statusUpdate?.status.state);
    await until(() => states().includes("TASK_STATE_FAILED"), "the notification");
  });
});
