import type { Connection } from "./connection.js";
import type { ReadOperations } from "./operations.js";
import { sumUsage } from "./statements/counters.js";
import { selectKey } from "./statements/idempotency-keys.js";
import { listAgents, listTasks } from "./statements/list-tasks.js";
import { selectEvents } from "./statements/log.js";
import { findByMessageId } from "./statements/message-ids.js";
import { listHeld, selectLease, selectNodes } from "./statements/nodes.js";
import { selectPushConfig, selectPushConfigs } from "./statements/push-configs.js";
import { countDeliveries, selectBuried, selectNextDue } from "./statements/queues.js";
import { findScope } from "./statements/scopes.js";
import type { StatusCounts } from "./statements/status-counts.js";
import { selectStored } from "./statements/stored-tasks.js";
import { selectDataVersion } from "./statements/data-version.js";
import { selectRecord } from "./statements/tasks.js";

export function createReadOperations(db: Connection, statusCounts: StatusCounts): ReadOperations {
  return {
    read: (request) => selectEvents(db, request),
    load: ({ taskId, maxBytes }) => selectStored(db, taskId, maxBytes),
    loadRecord: (taskId) => selectRecord(db, taskId),
    list: (query) => listTasks({ db, statusCounts }, query),
    listAgents: () => listAgents(db),
    loadUsage: ({ subject, agent }) => sumUsage(db, subject, agent),
    findByMessageId: ({ scope, messageId }) => findByMessageId(db, scope, messageId),
    listHeld: (request) => listHeld(db, request),
    leaseOf: (node) => selectLease(db, node),
    listNodes: () => selectNodes(db),
    foreignVersion: () => selectDataVersion(db),
    loadPushConfig: ({ taskId, configId }) => selectPushConfig(db, taskId, configId),
    listPushConfigs: (request) => selectPushConfigs(db, request),
    listBuried: (query) => selectBuried(db, query),
    countDeliveries: (agent) => countDeliveries(db, agent),
    nextDeliveryAt: (agent) => selectNextDue(db, agent),
    loadIdempotentResult({ scope: whose, key }) {
      const scope = findScope(db, whose);
      return scope === undefined ? undefined : selectKey(db, scope, key);
    },
  };
}
