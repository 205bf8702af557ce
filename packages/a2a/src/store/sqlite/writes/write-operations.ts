import { unpackAppend } from "../append-text.js";
import { appendToTask } from "./append-to-task.js";
import { claimAbandoned, claimTask } from "./claims.js";
import { checkConfigs, checkLimits } from "./check-limits.js";
import { deleteEnded } from "./delete-ended.js";
import { deleteExpiredKeys, saveReply } from "./kept-replies.js";
import type { WriteOperations } from "../operations.js";
import { claimQueues, reviveDelivery, settleQueue } from "./outbox.js";
import { deleteConfig, saveConfig } from "./push-configs.js";
import { releaseNode, renewNode, setDraining } from "../statements/nodes.js";
import { selectScope } from "../statements/scopes.js";
import { settleSecret } from "../statements/secrets.js";
import type { WriteSession } from "./write-session.js";

export function createWriteOperations(session: WriteSession): WriteOperations {
  const { db } = session;
  return {
    append: (append) => appendToTask(session, unpackAppend(append)),
    // The transaction around it has the right to write.
    check: () => void db.get("SELECT 1 FROM nodes LIMIT 1"),
    claim: (claim) => claimTask(session, claim),
    claimAbandoned: (request) => claimAbandoned(session, request),
    renewNode: (request) => renewNode(db, request, session.now),
    releaseNode: (node) => releaseNode(db, node),
    setDraining: ({ node, isDraining }) => setDraining(db, node, isDraining),
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
