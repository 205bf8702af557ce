import type { Task, TaskState } from "@parley/a2a";
import type { Store } from "@parley/a2a/store";
import { vi } from "vitest";

/** What a caller of an agent sends beside its text. */
export interface SentMessage {
  readonly taskId?: string;
  readonly contextId?: string;
  /** The address of a webhook for the task. */
  readonly webhook?: string;
}

/** Calls an agent over its port, in 1.0, as any caller does; resolves to the result. */
async function callAgent<T>(url: string, method: string, params: object): Promise<T> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", "A2A-Version": "1.0" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const answer = (await response.json()) as { readonly result?: T; readonly error?: unknown };
  if (answer.result === undefined) throw new Error(JSON.stringify(answer.error));
  return answer.result;
}

/** Sends a message and does not wait for what comes of it; resolves to the id of the task. */
export async function sendText(url: string, text: string, more: SentMessage = {}): Promise<string> {
  const { webhook, ...ids } = more;
  const message = {
    messageId: crypto.randomUUID(),
    role: "ROLE_USER",
    parts: [{ text }],
    ...ids,
  };
  const configuration = {
    returnImmediately: true,
    ...(webhook !== undefined && { taskPushNotificationConfig: { url: webhook } }),
  };
  const params = { message, configuration };
  const { task } = await callAgent<{ readonly task: Task }>(url, "SendMessage", params);
  return task.id;
}

/** Resolves once a task is in a state, as its store has it: no call is seen on the wire for it. */
export async function untilState(store: Store, taskId: string, state: TaskState): Promise<void> {
  await until(async () => (await store.loadRecord(taskId))?.state === state);
}

/** Resolves once something holds; also outside of a test, where there is no `expect.poll`. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  await vi.waitUntil(holds, { interval: 10, timeout: 10_000 });
}
