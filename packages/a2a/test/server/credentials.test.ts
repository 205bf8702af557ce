import { describe, expect, it } from "vitest";
import { credentialsUri } from "../../src/protocol/internal.js";
import type { JsonValue, Message } from "../../src/protocol/internal.js";
import type { Handler } from "../../src/server/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { verifies } from "../spec/verifies.js";
import { call, callBy, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";
import { collect } from "../support/streams.js";
import { settle } from "../support/time/until.js";
import { stateOf, taskOf, textIn } from "../support/runtime/answers.js";

const secret = "do-not-keep-me";
const handed = { [credentialsUri]: { token: secret } };

/** Waits until it is handed a token, however often it has to ask. */
const needsToken =
  (seen: (JsonValue | undefined)[]): Handler =>
  async (context) => {
    seen.push(context.credentials);
    for (let asked = 0; ; asked += 1) {
      await context.authRequired(`A token, please (${asked})`);
      seen.push(context.credentials);
      if (await context.step("use it", () => context.credentials !== undefined)) return "Thank you";
    }
  };

function withMetadata(text: string, members: Partial<Message> = {}) {
  return say(text, { metadata: { ...handed, other: "kept" }, ...members });
}

describe("credentials that a caller hands over", () => {
  it("reach the run that the message starts, and are nowhere else", async () => {
    const seen: (JsonValue | undefined)[] = [];
    await using runtime = await openTestRuntime({
      run: async ({ credentials, message, metadata, ask }) => {
        seen.push(credentials);
        await ask(JSON.stringify([message, metadata]));
      },
    });
    const request = { ...withMetadata("go"), metadata: { ...handed, beside: "kept" } };
    const events = await collect(runtime.service.sendStreamingMessage(request, call()));
    const [{ response } = { response: undefined }] = events;
    const id = response?.task?.id ?? "";
    const task = await runtime.service.getTask({ id }, call());
    expect(seen).toEqual([{ token: secret }]);
    expect(task.history?.[0]?.metadata).toEqual({ other: "kept" });
    const stored = [await runtime.store.load(id), await runtime.store.read(id, 0, 100)];
    const everything = JSON.stringify([events, task, stored]);
    expect(everything).not.toContain(secret);
    expect(everything).toContain("beside");
  });

  it("wake a task that waits for authorization, and are not in its history", async () => {
    verifies("auth:in-task-messages", "auth:in-task-bound", "auth:in-task-encrypted");
    verifies("auth:in-task-state", "auth:in-task-message", "auth:in-task-out-of-band");
    const seen: (JsonValue | undefined)[] = [];
    await using runtime = await openTestRuntime({ run: needsToken(seen) });
    const { id: taskId, status } = taskOf(await runtime.service.sendMessage(say("go"), call()));
    expect(status.state).toBe("TASK_STATE_AUTH_REQUIRED");
    const task = taskOf(
      await runtime.service.sendMessage(withMetadata("here", { taskId }), call()),
    );
    expect(stateOf(task)).toBe("completed");
    expect(seen).toEqual([undefined, { token: secret }]);
    expect(JSON.stringify([task, await runtime.store.read(taskId, 0, 100)])).not.toContain(secret);
  });

  it("are asked for again when the process ended before they were used", async () => {
    const clock = createTestClock();
    const store = createMemoryStore({ clock });
    const first = await openTestRuntime({ store, clock, durable: true, run: needsToken([]) });
    const { id: taskId } = taskOf(await first.service.sendMessage(say("go"), call()));
    // The message is stored, and then nothing more is heard of the node.
    const append = store.append.bind(store);
    store.append = async (write) => {
      const result = await append(write);
      if (write.messageIds !== undefined) first.freeze();
      return result;
    };
    void first.service.sendMessage(withMetadata("here", { taskId }), call()).catch(() => undefined);
    await settle();
    store.append = append;
    const seen: (JsonValue | undefined)[] = [];
    await using second = await openTestRuntime({
      store,
      clock,
      durable: true,
      run: needsToken(seen),
    });
    await clock.advance(60_000);
    await settle();
    const waiting = await second.service.getTask({ id: taskId }, call());
    expect(waiting.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
    expect(textIn(waiting.status.message?.parts ?? [])).toBe("A token, please (1)");
    expect(seen).toEqual([undefined, undefined]);
    const done = withMetadata("again", { taskId });
    expect(stateOf(taskOf(await second.service.sendMessage(done, call())))).toBe("completed");
  });

  it("are not part of what makes a repeated call the same", async () => {
    const seen: (JsonValue | undefined)[] = [];
    await using runtime = await openTestRuntime({
      run: async ({ credentials, ask }) => {
        seen.push(credentials);
        await ask("?");
      },
    });
    const ann = callBy("ann", { idempotencyKey: "k" });
    const first = taskOf(await runtime.service.sendMessage(withMetadata("go"), ann));
    const again = taskOf(
      await runtime.service.sendMessage(say("go", { metadata: { other: "kept" } }), ann),
    );
    expect(again.id).toBe(first.id);
    expect(seen).toEqual([{ token: secret }]);
  });

  it("in a message to a run at work are dropped, and the message is not", async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    await using runtime = await openTestRuntime({
      run: async ({ nextMessage, step }) => {
        await step("begin", () => 1);
        await gate;
        return JSON.stringify(await nextMessage());
      },
    });
    const sent = say("go", {}, { configuration: { returnImmediately: true } });
    const running = runtime.service.sendMessage(sent, call());
    await runtime.clock.advance(100);
    const { id: taskId } = taskOf(await running);
    const more = runtime.service.sendMessage(withMetadata("more", { taskId }), call());
    await settle();
    release();
    const task = taskOf(await more);
    expect(JSON.stringify(task)).toContain("more");
    expect(JSON.stringify([task, await runtime.store.read(taskId, 0, 100)])).not.toContain(secret);
  });
});
