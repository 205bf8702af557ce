import { signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";
import type { TaskPushNotificationConfig } from "@parley/a2a";
import type { Delivery, PushAttempt, PushAttempts, Receiver } from "../../contract/index.js";
import { api, onFeed } from "../api/index.js";
import { capabilities } from "./capabilities.js";

/** As many as the backend keeps. */
const kept = 1000;

const attempts = signal<readonly PushAttempt[]>([]);
const arrived = signal<readonly Delivery[]>([]);

/** The attempts of the server beside the inspector to send push notifications, oldest first. */
export const pushAttempts: ReadonlySignal<readonly PushAttempt[]> = attempts;
/** The push notifications that the inspector has received, oldest first. */
export const deliveries: ReadonlySignal<readonly Delivery[]> = arrived;

/** Reads what there was before the page. */
export async function loadPushes(): Promise<void> {
  const able = capabilities.peek();
  if (able?.canSeePushes === true) {
    const read = await api.get<PushAttempts>("pushes");
    attempts.value = merged(attempts.peek(), read.attempts);
  }
  if (able?.canReceive === true) {
    const read = await api.get<{ deliveries: readonly Delivery[] }>("deliveries");
    arrived.value = merged(arrived.peek(), read.deliveries);
  }
}

/** The token that a person has set in this tab; the backend never tells it. */
let token: string | undefined;

/** Remembers the token that deliveries have to carry. Empty: none. */
export function rememberToken(given: string): void {
  token = given === "" ? undefined : given;
}

/** What a task needs to tell the receiver of the inspector. */
export async function receiverConfig(): Promise<TaskPushNotificationConfig> {
  const { url, hasToken } = await api.get<Receiver>("receiver");
  return { url, ...(hasToken && token !== undefined && { token }) };
}

/** Shows those of a recording in place of those of the backend. */
export function showRecordedPushes(recorded: {
  readonly pushes: readonly PushAttempt[];
  readonly deliveries: readonly Delivery[];
}): void {
  attempts.value = recorded.pushes;
  arrived.value = recorded.deliveries;
}

onFeed((items) => {
  if (items.some(({ kind }) => kind === "gap")) {
    // Another backend may count from 1 again.
    attempts.value = [];
    arrived.value = [];
    void loadPushes().catch(() => undefined);
  }
  const tried = items.flatMap((item) => (item.kind === "push" ? [item.attempt] : []));
  if (tried.length > 0) attempts.value = merged(attempts.peek(), tried);
  const came = items.flatMap((item) => (item.kind === "delivery" ? [item.delivery] : []));
  if (came.length > 0) arrived.value = merged(arrived.peek(), came);
});

/** Both lists by id, oldest first. What the second has of an id counts, unless the first knows how it ended. */
function merged<T extends { readonly id: number; readonly endedAt?: number }>(
  one: readonly T[],
  other: readonly T[],
): readonly T[] {
  const byId = new Map(one.map((item) => [item.id, item]));
  for (const item of other) {
    if (byId.get(item.id)?.endedAt === undefined) byId.set(item.id, item);
  }
  return [...byId.values()].sort((a, b) => a.id - b.id).slice(-kept);
}
