import type { ClaimedQueue, DeliveryKey, QueueClaim, QueueSettlement } from "../../outbox-store.js";
import {
  deleteBuried,
  deleteDelivery,
  insertBuried,
  insertDelivery,
  selectDeliveries,
  selectFirst,
} from "../statements/deliveries.js";
import { selectListeners } from "../statements/push-configs.js";
import {
  awaken,
  claimQueue,
  releaseQueue,
  resetAttempts,
  selectDue,
  selectQueue,
} from "../statements/queues.js";
import type { QueueRow } from "../statements/queues.js";
import type { OpenHead, WriteSession } from "./write-session.js";

/** Queues notifications of the entries that were just written, given the rank of each. Returns how many. */
export function notify(
  { db }: WriteSession,
  head: OpenHead,
  { ranks, notifyAt }: { readonly ranks: string; readonly notifyAt: number },
): number {
  head.listeners ??= selectListeners(db, head.task);
  const before = head.sequence - ranks.length;
  let total = 0;
  for (const { config, maxRank } of head.listeners) {
    let count = 0;
    for (let index = 0; index < ranks.length; index += 1) {
      if (Number(ranks[index]) > maxRank) continue;
      insertDelivery(db, config, { sequence: before + index + 1, queuedAt: notifyAt });
      count += 1;
    }
    if (count > 0) awaken(db, config, notifyAt);
    total += count;
  }
  return total;
}

/** Claims due queues up to the limit of each host. A host that has reached its limit is left out of the next query. */
export function claimQueues({ db }: WriteSession, claim: QueueClaim): ClaimedQueue[] {
  const { agent, now, until, node, limit, ahead, perHost } = claim;
  const taken = new Map(claim.taken);
  const claimed: ClaimedQueue[] = [];
  while (claimed.length < limit) {
    const withoutHosts = Array.from(taken).flatMap(([host, count]) =>
      count >= perHost ? [host] : [],
    );
    const wanted = limit - claimed.length;
    const due = selectDue(db, { agent, now, withoutHosts, limit: wanted });
    let hasFullHost = false;
    for (const { config, ...queue } of due) {
      const count = taken.get(queue.host) ?? 0;
      if (count >= perHost) {
        hasFullHost = true;
        continue;
      }
      taken.set(queue.host, count + 1);
      claimQueue(db, { config, node, until });
      claimed.push({ ...queue, deliveries: selectDeliveries(db, config, ahead) });
    }
    if (!hasFullHost) break;
  }
  return claimed;
}

export function settleQueue(session: WriteSession, settlement: QueueSettlement): void {
  const queue = findQueue(session, settlement);
  if (queue === undefined) return;
  const { db } = session;
  const { config, claimedBy } = queue;
  const { arrived = [], buried, release } = settlement;
  const first = selectFirst(db, config);
  for (const sequence of arrived) {
    if (!deleteDelivery(db, config, sequence)) deleteBuried(db, config, sequence);
  }
  for (const sequence of buried?.sequences ?? []) {
    const { reason = "" } = buried ?? {};
    if (deleteDelivery(db, config, sequence)) insertBuried(db, { config, sequence, reason });
  }
  const next = selectFirst(db, config);
  if (next !== first) resetAttempts(db, config);
  if (next === undefined) releaseQueue(db, config, null);
  else if (release !== undefined && release.node === claimedBy) {
    releaseQueue(db, config, release.dueAt);
  }
}

export function reviveDelivery(
  session: WriteSession,
  { sequence, ...key }: DeliveryKey,
  now: number,
): boolean {
  const { db } = session;
  const queue = findQueue(session, key);
  if (queue === undefined || !deleteBuried(db, queue.config, sequence)) return false;
  insertDelivery(db, queue.config, { sequence, queuedAt: now });
  awaken(db, queue.config, now);
  if (queue.claimedBy !== null) return true;
  resetAttempts(db, queue.config);
  releaseQueue(db, queue.config, now);
  return true;
}

function findQueue(
  session: WriteSession,
  { taskId, configId }: { readonly taskId: string; readonly configId: string },
): QueueRow | undefined {
  const head = session.head(taskId);
  return head && selectQueue(session.db, head.task, configId);
}
