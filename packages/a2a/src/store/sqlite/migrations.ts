import { addUsageAndSecrets } from "./migrations/add-usage-and-secrets.js";
import { createTables } from "./migrations/create-tables.js";
import { packLog } from "./migrations/pack-log.js";
import { queueNotifications } from "./migrations/queue-notifications.js";

/**
 * What makes each version of the schema out of the one before, in order. What was released is never
 * edited: the next change is one more file. `schema.sql` shows the sum of them.
 */
export const migrations: readonly string[] = [
  createTables,
  addUsageAndSecrets,
  queueNotifications,
  packLog,
];
