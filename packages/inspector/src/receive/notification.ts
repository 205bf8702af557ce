import { randomUUID, timingSafeEqual } from "node:crypto";
import { A2AError, defaultLimits } from "@parley/a2a";
import type { StreamResponse } from "@parley/a2a";
import { createPushVerifier } from "@parley/a2a/client/push";
import { Cursor, decodePush, parseJson } from "@parley/a2a/wire";

/** A request to the webhook. */
export interface Delivered {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A notification that was read, and how far it is certain that it comes from the agent. */
export interface Notification {
  readonly id: string;
  readonly taskId: string;
  readonly event: StreamResponse;
  /** `verified`, or `none` for one that is not signed. */
  readonly signature: "verified" | "none";
  readonly sequence?: number;
}

export interface ReaderOptions {
  /** The URL of the webhook, as it is registered. */
  readonly url: string;
  readonly token: string;
  /** The URL of the agent, at which its keys are; signatures are not looked at when absent. */
  readonly agent?: string;
}

/** Creates a reader of notifications: it checks the token of each, and the signature if it has one. */
export function createReader({
  url,
  token,
  agent,
}: ReaderOptions): (delivered: Delivered) => Promise<Notification> {
  const verifier = agent === undefined ? undefined : createPushVerifier({ agent, url, token });
  return async ({ headers, body }) => {
    if (verifier !== undefined && headers["x-a2a-notification-signature"] !== undefined) {
      const { id, sequence, taskId, event } = await verifier.verifyPush({ headers, body });
      return { id, sequence, taskId, event, signature: "verified" };
    }
    if (!isSame(headers["x-a2a-notification-token"] ?? "", token)) {
      throw new A2AError("UNAUTHENTICATED", "the notification has another token, or none");
    }
    const cursor = new Cursor({ code: "INVALID_AGENT_RESPONSE", limits: defaultLimits });
    const { event } = decodePush(parseJson(new TextEncoder().encode(body), defaultLimits), cursor);
    const { task, message, statusUpdate, artifactUpdate } = event;
    const taskId = task?.id ?? (message ?? statusUpdate ?? artifactUpdate)?.taskId ?? "";
    const id = headers["x-a2a-notification-id"] ?? randomUUID();
    return { id, taskId, event, signature: "none" };
  };
}

function isSame(found: string, expected: string): boolean {
  const [a, b] = [Buffer.from(found), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** What a notification tells, in a few words. */
export function summaryOf({ task, message, statusUpdate, artifactUpdate }: StreamResponse): string {
  const state = (task ?? statusUpdate)?.status.state.replace("TASK_STATE_", "").toLowerCase();
  if (task !== undefined) return `task ${state}`;
  if (statusUpdate !== undefined) return `status ${state}`;
  if (artifactUpdate !== undefined) return `artifact ${artifactUpdate.artifact.artifactId}`;
  return `message ${message?.messageId ?? ""}`;
}
