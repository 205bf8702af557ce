import { A2AError, isTerminal } from "../../protocol/internal.js";
import type { Claim } from "../lease-store.js";
import { appendToTask } from "./append-to-task.js";
import { deleteEnded } from "./delete-ended.js";
import type { WriteOperations } from "./operations.js";
import { claimQueues, reviveDelivery, settleQueue } from "./outbox-operations.js";
import * as keys from "./statements/idempotency-keys.js";
import { releaseNode, renewNode } from "./statements/nodes.js";
import { deletePushConfigs, savePushConfig } from "./statements/push-configs.js";
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
    savePushConfig({ taskId, ...record }) {
      const head = session.head(taskId);
      if (head === undefined) return false;
      savePushConfig(db, head.task, record);
      head.listeners = undefined;
      return true;
    },
    deletePushConfig({ taskId, configId }) {
      const head = session.head(taskId);
      if (head === undefined) return;
      deletePushConfigs(db, head.task, configId);
      head.listeners = undefined;
    },
    claimQueues: (claim) => claimQueues(session, claim),
    settleQueue: (settlement) => settleQueue(session, settlement),
    reviveDelivery: ({ key, now }) => reviveDelivery(session, key, now),
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

function claimTask(session: WriteSession, claim: Claim): number | undefined {
  const { taskId, node, epoch, sequence } = claim;
  const head = session.head(taskId);
  if (head === undefined || head.epoch !== epoch || isTerminal(toState(head.state))) {
    return undefined;
  }
  if (sequence !== undefined && head.sequence !== sequence) return undefined;
  head.node = node;
  head.epoch += 1;
  session.touch(head, "lease");
  return head.epoch;
}
