import {
  databaseCutRow,
  failoverRow,
  lateWritesRow,
  lossyFailoverRow,
  natsCutRow,
  natsRestartRow,
  poolerRow,
  restartPostgres,
  restartRow,
  slowDiskRow,
} from "./engine-rows.js";
import {
  calmRow,
  killOne,
  killRow,
  skewRow,
  stopOne,
  stopRow,
  upgradeRow,
} from "./process-rows.js";
import { watcherRow } from "./watcher-row.js";
import { repeat } from "./row.js";
import type { Row } from "./row.js";

/** Everything that may happen to processes and to the database, in any order. */
const mixedRow: Row = {
  name: "mixed",
  expected: "all of it at once, in any order",
  needs: ["postgres"],
  fail: (ground) =>
    repeat(ground, () => ground.chance.pick([killOne, stopOne, restartPostgres])(ground)),
};

/** The failure matrix. */
export const matrix: readonly Row[] = [
  calmRow,
  killRow,
  stopRow,
  restartRow,
  failoverRow,
  lossyFailoverRow,
  poolerRow,
  databaseCutRow,
  lateWritesRow,
  natsCutRow,
  natsRestartRow,
  slowDiskRow,
  skewRow,
  watcherRow,
  upgradeRow,
  mixedRow,
];
