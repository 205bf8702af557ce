import { addUsageAndSecrets } from "./migrations/add-usage-and-secrets.js";
import { createTables } from "./migrations/create-tables.js";
import { describeNodes } from "./migrations/describe-nodes.js";
import { keepSummaries } from "./migrations/keep-summaries.js";
import { markUnheardNodes } from "./migrations/mark-unheard-nodes.js";
import { packLog } from "./migrations/pack-log.js";
import { queueNotifications } from "./migrations/queue-notifications.js";
import { renameOrigin } from "./migrations/rename-origin.js";
import { scopeKeys } from "./migrations/scope-keys.js";
import { timeEntries } from "./migrations/time-entries.js";

/**
 * The migrations, in order: each makes a version of the schema from the one before. A released migration is
 * never edited; the next change is one more file. `schema.sql` shows the result of all of them.
 */
export const migrations: readonly string[] = [
  createTables,
  addUsageAndSecrets,
  queueNotifications,
  packLog,
  renameOrigin,
  scopeKeys,
  keepSummaries,
  timeEntries,
  describeNodes,
  markUnheardNodes,
];
