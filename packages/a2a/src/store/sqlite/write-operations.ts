import { A2AError, isTerminal } from "../../protocol/index.js";
import type { Claim } from "../lease-store.js";
import type { Delivery, DeliveryKey } from "../outbox-store.js";
import { appendToTask } from "./append-to-task.js";
import { deleteEnded } from "./delete-ended.js";
import type { WriteOperations } from "./operations.js";
import * as deliveries from "./statements/deliveries.js";
import type { DeliveryRow } from "./statements/deliveries.js";
import * as keys from "./statements/idempotency-keys.js";
import { releaseNode, renewNode } from "./statements/nodes.js";
import { deletePushConfig, savePushConfig } from "./statements/push-configs.js";
import { settleSecret } from "./statements/secrets.js";
import { toState } from "./statements/tasks.js";
import type { WriteSession } from "./write-session.js";

export function createWriteOperations(session: WriteSession): WriteOperations {
  const { db } = session;
  return {
    append: (append) => appendToTask(session, append),
    claim: (claim) => claimTask(session, claim),
    renewNode: ({ node, until }) => renewNode(db, node, until),
    releaseNode: (node) => releaseNode(db, node),
    savePushConfig: (record) => savePushConfig(db, record),
    deletePushConfig({ taskId, configId }) {
      deletePushConfig(db, taskId, configId);
      const head = session.head(taskId);
      if (head !== undefined) deliveries.deleteDeliveries(db, head.task, configId);
    },
    claimDeliveries: ({ now, until, limit }) => claimDeliveries(session, { now, until, limit }),
    completeDelivery(key) {
      const row = toRow(session, key);
      if (row !== undefined && !deliveries.removeDelivery(db, row)) {
        deliveries.removeBuried(db, row);
      }
    },
    postponeDelivery({ key, retryAt }) {
      const row = toRow(session, key);
      if (row !== undefined) deliveries.postpone(db, row, retryAt);
    },
    buryDelivery({ key, reason }) {
      const row = toRow(session, key);
      if (row !== undefined && deliveries.removeDelivery(db, row)) {
        deliveries.insertBuried(db, row, reason);
      }
    },
    reviveDelivery(key) {
      const row = toRow(session, key);
      if (row !== undefined && deliveries.removeBuried(db, row)) deliveries.insertDelivery(db, row);
    },
    saveReply({ owner, claim, reply }) {
      if (keys.selectKey(db, { ...owner, key: claim.key }) !== undefined) {
        throw new A2AError("CONCURRENT_MODIFICATION", "the idempotency key is taken");
      }
      keys.insertKey(db, owner, claim, { reply });
    },
    deleteExpiredKeys: ({ now, limit }) => keys.deleteExpiredKeys(db, now, limit),
    settleSecret: ({ name, proposed }) => settleSecret(db, name, proposed),
    deleteEnded: ({ before, limit }) => deleteEnded(session, before, limit),
  };
}

function claimTask(session: WriteSession, { taskId, node, epoch }: Claim): number | undefined {
  const head = session.head(taskId);
  if (head === undefined || head.epoch !== epoch || isTerminal(toState(head.state))) {
    return undefined;
  }
  head.node = node;
  head.epoch += 1;
  session.touch(head, "lease");
  return head.epoch;
}

function claimDeliveries(
  { db }: WriteSession,
  claim: { readonly now: number; readonly until: number; readonly limit: number },
): Delivery[] {
  return deliveries.selectDue(db, claim.now, claim.limit).map(({ task, ...delivery }) => {
    deliveries.markAttempt(db, { task, ...delivery }, claim.until);
    return delivery;
  });
}

function toRow(session: WriteSession, key: DeliveryKey): DeliveryRow | undefined {
  const head = session.head(key.taskId);
  return head && { task: head.task, configId: key.configId, sequence: key.sequence };
}
