import type { CallContext, Task, TaskPushNotificationConfig } from "../../src/protocol/internal.js";
import type { Handler, PushNotification } from "../../src/server/index.js";
import { createTestClock } from "../../src/testing/index.js";
import { call, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";
import type { TestRuntimeOptions } from "../support/runtime/open-test-runtime.js";
import { createTestReceivers } from "./test-receivers.js";
import { taskOf } from "../support/runtime/answers.js";

export const hook = "https://hook.example/";
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;

/** Nothing happens but what is due, however long it takes. */
const quiet = { leaseMs: 96 * hour };

/** Says as many words as it is told, and is done. */
export const counts: Handler = async function* ({ text }) {
  for (let index = 0; index < Number(text); index += 1) yield `${index} `;
};

/** A runtime whose notifications go to receivers of the test. */
export async function openPushing(options: Partial<TestRuntimeOptions> = {}) {
  const clock = options.clock ?? createTestClock();
  const receivers = createTestReceivers(clock);
  const runtime = await openTestRuntime({
    run: counts,
    capabilities: { pushNotifications: true, streaming: true },
    pushSender: receivers,
    ...options,
    settings: { ...quiet, ...options.settings },
    clock,
  });
  return Object.assign(runtime, {
    receivers,
    /** Sends a text whose task is told of at an address. */
    async pushTo(url: string, text = "1", overrides: Partial<CallContext> = {}): Promise<Task> {
      return taskOf(await runtime.service.sendMessage(withHook(text, { url }), call(overrides)));
    },
  });
}

export function withHook(text: string, config: TaskPushNotificationConfig) {
  return say(text, {}, { configuration: { taskPushNotificationConfig: config } });
}

export const sequencesOf = (notifications: readonly PushNotification[]): number[] =>
  notifications.map(({ sequence }) => sequence);
