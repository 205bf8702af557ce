import { isTerminal } from "../../../protocol/internal.js";
import type { Claim } from "../../lease-store.js";
import { appendToTask } from "./append-to-task.js";
import { checkConfigs, checkLimits } from "./check-limits.js";
import { deleteEnded } from "./delete-ended.js";
import { deleteExpiredKeys, saveReply } from "./kept-replies.js";
import type { WriteOperations } from "../operations.js";
import { claimQueues, reviveDelivery, settleQueue } from "./outbox.js";
import { deleteConfig, saveConfig } from "./push-configs.js";
import { releaseNode, renewNode } from "../statements/nodes.js";
import { selectScope } from "../statements/scopes.js";
import { settleSecret } from "../statements/secrets.js";
import { toState } from "../statements/tasks.js";
import type { WriteSession } from "./write-session.js";

export function createWriteOperations(session: WriteSession): WriteOperations {
  const { db } = session;
  return {
    append: (append) => appendToTask(session, append),
    claim: (claim) => claimTask(session, claim),
    renewNode: ({ node, until }) => renewNode(db, node, until),
    releaseNode: (node) => releaseNode(db, node),
    savePushConfig({ record: { taskId, ...record }, limits }) {
      const head = session.head(taskId);
      if (head === undefined) return false;
      if (limits !== undefined) {
        checkLimits(session, selectScope(db, head.scope), limits, "part");
        checkConfigs(session, head.task, record.configId, limits);
      }
      saveConfig(session, head, record);
      return true;
    },
    deletePushConfig({ taskId, configId }) {
      const head = session.head(taskId);
      if (head !== undefined) deleteConfig(session, head, configId);
    },
    claimQueues: (claim) => claimQueues(session, claim),
    settleQueue: (settlement) => settleQueue(session, settlement),
    reviveDelivery: ({ key, now }) => reviveDelivery(session, key, now),
    saveReply: (request) => saveReply(session, request),
    deleteExpiredKeys: ({ now, limit }) => deleteExpiredKeys(session, now, limit),
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
