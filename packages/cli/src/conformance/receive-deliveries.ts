import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { TaskPushNotificationConfig, TaskState } from "@parley/a2a";
import type { Delivered } from "@parley/inspector/receive";
import { openWebhook } from "@parley/inspector/receive";
import { isSettled } from "../probe/probe-message.js";
import type { Subject } from "./subject.js";
import { told } from "./subject.js";
import { asObject, parseObject } from "./wire-json.js";

/** What an agent has posted to a webhook of the tool about one task. */
export interface Deliveries {
  readonly config: TaskPushNotificationConfig;
  readonly taskId: string;
  readonly posts: readonly Delivered[];
  /** Whether one of them told how the task ended, or that it waits for its caller. */
  readonly hasEnd: boolean;
}

/** Why no deliveries can be expected, or what is wrong with the registration. */
export type NoDeliveries = { readonly skipped: string } | { readonly failed: string };

/**
 * Sends a message with a webhook of this tool, and keeps what the agent posts until the task has settled and was told so. Only an
 * agent on this machine can reach a webhook on it.
 */
export async function receiveDeliveries(subject: Subject): Promise<Deliveries | NoDeliveries> {
  const { session, options, target } = subject;
  if (!isOnThisMachine(session.declared.url)) {
    return { skipped: "the agent is elsewhere, and cannot reach a webhook on this machine" };
  }
  const posts: Delivered[] = [];
  const arrived = new EventTarget();
  await using webhook = await openWebhook({ host: "127.0.0.1", port: 0 }, (delivered) => {
    posts.push(delivered);
    arrived.dispatchEvent(new Event("post"));
    return Promise.resolve(204);
  });
  const config = {
    url: webhook.url,
    token: randomUUID(),
    authentication: { scheme: "Bearer", credentials: randomUUID() },
  };
  const sent = await subject.send(options.slowMessage ?? options.message, {
    configuration: { returnImmediately: true, taskPushNotificationConfig: config },
  });
  if (sent.error?.code === "INVALID_PARAMS") {
    return {
      skipped: "the agent refuses a webhook on this machine; allow it to see what it posts",
    };
  }
  if (sent.error !== undefined) return { failed: told(sent) };
  const taskId = sent.result?.task?.id;
  if (taskId === undefined) return { skipped: "the agent answered without a task" };
  await subject.settle(taskId);
  const signal = AbortSignal.timeout(target.timeoutMs);
  while (!posts.some(tellsEnd) && !signal.aborted) {
    await once(arrived, "post", { signal }).catch(() => undefined);
  }
  return { config: { ...config, taskId }, taskId, posts: [...posts], hasEnd: posts.some(tellsEnd) };
}

function isOnThisMachine(address: string): boolean {
  return /^(?:\w+:\/\/)?(?:localhost|127(?:\.\d+){3}|\[::1\])(?=[:/?]|$)/i.test(address);
}

function tellsEnd({ body }: Delivered): boolean {
  const { task, statusUpdate } = parseObject(body);
  const { state } = asObject(asObject(task ?? statusUpdate)["status"]);
  return typeof state === "string" && isSettled(state as TaskState);
}
