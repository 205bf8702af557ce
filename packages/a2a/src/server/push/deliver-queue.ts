import type { LightSignal } from "../../async/internal.js";
import type { ClaimedQueue, QueuedDelivery, QueueSettlement, Store } from "../../store/internal.js";
import type { Clock } from "../../async/internal.js";
import type { Cryptography } from "../cryptography.js";
import type { Log } from "../../protocol/internal.js";
import { publicTaskId } from "../log/task-identity.js";
import type { Meters } from "../meters.js";
import type { RuntimeSettings } from "../settings.js";
import { attempt } from "./attempt.js";
import type { HostSlots } from "./host-slots.js";
import type { PushSpans } from "./push-spans.js";
import type { PushOutcome, PushSender } from "./push-sender.js";
import { QueueReader } from "./queue-reader.js";
import { retryDelay } from "./retry-delay.js";
import { Settlements } from "./settlements.js";

/** What a delivery needs. */
export interface DeliveryParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly node: string;
  readonly settings: RuntimeSettings;
  readonly sender: PushSender;
  readonly crypto: Cryptography;
  readonly random: () => number;
  readonly hosts: HostSlots;
  /** Absent where nobody traces. */
  readonly spans: PushSpans | undefined;
  readonly log: Log;
  /** Absent where nobody counts. */
  readonly meters: Meters | undefined;
  /** True when the node is stopping and begins nothing more. */
  readonly isStopping: () => boolean;
  /** Aborted when attempts under way have to end at once. */
  readonly graceOver: LightSignal;
}

type Failed = Extract<PushOutcome, { readonly kind: "failed" }>;

/**
 * How many attempts may be cut short by the death of their node, at least, before the delivery is suspected to
 * have caused it and is given up.
 */
const minUnended = 5;

/** A host is slow when its failure took this long. */
const slowMs = 1000;

/**
 * Sends the deliveries of a claimed queue in order, each after the one before it has arrived. Stops at the first
 * failure, when the claim could end before the next answer, and when the node stops.
 */
export async function deliverQueue(
  parts: DeliveryParts,
  queue: ClaimedQueue,
  until: number,
): Promise<void> {
  const { store, clock, node, settings, sender, isStopping, graceOver } = parts;
  const { pushTimeoutMs, maxPushAttempts } = settings;
  const reader = await QueueReader.open(parts, queue);
  if (reader === undefined) return;
  const settlements = new Settlements(store, queue);
  for (const [index, delivery] of queue.deliveries.entries()) {
    const isOutOfTime = index > 0 && clock.now() + pushTimeoutMs > until;
    if (isOutOfTime || isStopping()) break;
    const before = index === 0 ? queue.attempts : 0;
    if (before >= Math.max(maxPushAttempts, minUnended)) {
      const reason = `given up after ${before} attempts, none of which came to an end`;
      const buried = { sequences: [delivery.sequence], reason };
      tellBuried(parts, queue, buried);
      return settlements.end({ buried, release: { node, dueAt: clock.now() } });
    }
    const read = await reader.read(delivery.sequence, before + 1);
    if (read === undefined) return;
    const span = await parts.spans?.attempt(queue.taskId, before + 1, () => reader.begunBy());
    const trace = span?.context;
    const notification = trace === undefined ? read : { ...read, trace };
    settlements.save();
    const startedAt = clock.now();
    const options = { sender, clock, timeoutMs: pushTimeoutMs, graceOver };
    const outcome = await attempt(notification, options);
    if (outcome.kind === "failed") span?.fail(undefined);
    span?.end();
    if (outcome.kind === "arrived") {
      parts.hosts.speedUp(queue.host);
      settlements.arrived(delivery.sequence);
      parts.meters?.pushAttempted("arrived");
      parts.meters?.pushArrived(clock.now() - delivery.queuedAt);
      continue;
    }
    if (graceOver.aborted) break;
    if (clock.now() - startedAt >= slowMs) parts.hosts.slowDown(queue.host);
    const rest = queue.deliveries.slice(index);
    const next = afterFailure(parts, outcome, { rest, attempts: before + 1 });
    parts.meters?.pushAttempted("failed");
    if (next.buried !== undefined) tellBuried(parts, queue, next.buried);
    else tellPostponed(parts, queue, { ...next, reason: outcome.reason, attempts: before + 1 });
    return settlements.end(next);
  }
  await settlements.end({ release: { node, dueAt: clock.now() } });
}

function tellBuried(
  { log, meters }: DeliveryParts,
  { taskId, configId }: ClaimedQueue,
  { sequences, reason }: NonNullable<QueueSettlement["buried"]>,
): void {
  for (const _ of sequences) meters?.pushAttempted("buried");
  log("warn", "push.buried", {
    taskId: publicTaskId(taskId),
    configId,
    count: sequences.length,
    reason,
  });
}

function tellPostponed(
  { log, clock }: DeliveryParts,
  { taskId, configId }: ClaimedQueue,
  {
    reason,
    attempts,
    release,
  }: Pick<QueueSettlement, "release"> & { readonly reason: string; readonly attempts: number },
): void {
  const retryInMs = (release?.dueAt ?? clock.now()) - clock.now();
  log("info", "push.postponed", {
    taskId: publicTaskId(taskId),
    configId,
    attempts,
    retryInMs,
    reason,
  });
}

/** Retries the failed delivery later, or gives it up, together with later ones that are too old. */
function afterFailure(
  { clock, node, settings, random }: DeliveryParts,
  { reason, retryAfterMs = 0, isFinal = false }: Failed,
  { rest, attempts }: { readonly rest: readonly QueuedDelivery[]; readonly attempts: number },
): Pick<QueueSettlement, "buried" | "release"> {
  const { maxPushAgeMs, maxPushAttempts } = settings;
  const now = clock.now();
  const retryAt = now + Math.max(retryDelay(attempts, settings, random), Math.ceil(retryAfterMs));
  const isTooOld = ({ queuedAt }: QueuedDelivery, at: number): boolean =>
    at > queuedAt + maxPushAgeMs;
  const [first, ...others] = rest;
  const isGivenUp =
    isFinal || attempts >= maxPushAttempts || (first !== undefined && isTooOld(first, retryAt));
  if (first === undefined || !isGivenUp) return { release: { node, dueAt: retryAt } };
  const givenUp = [first, ...others.filter((delivery) => isTooOld(delivery, now))];
  const sequences = givenUp.map(({ sequence }) => sequence);
  const count = attempts === 1 ? "1 attempt" : `${attempts} attempts`;
  const buried = { sequences, reason: `${reason} (given up after ${count})` };
  return { buried, release: { node, dueAt: now } };
}
