import { setTimeout as sleep } from "node:timers/promises";
import { openPostgresBus } from "@parley/a2a/bus/postgres";
import { fillTasks } from "./fill-tasks.js";
import { openNode } from "./nodes.js";
import { statementsSent } from "./pg.js";
import type { Row } from "./row.js";

const waiting = 100_000;
const nodes = 3;
const seconds = 20;

/** Three nodes with 100,000 tasks that wait for their callers, and nothing to do. */
export async function measureIdle(url: string): Promise<Row[]> {
  await using opened = new AsyncDisposableStack();
  const open = async (): Promise<void> => {
    const bus = await openPostgresBus({ url });
    opened.use(await openNode({ store: url, bus, run: () => "done" }));
  };
  await open();
  await fillTasks(url, waiting, "INPUT_REQUIRED", "Bench");
  for (let number = 1; number < nodes; number += 1) await open();
  await sleep(1000);
  const before = statementsSent();
  await sleep(seconds * 1000);
  return [
    {
      name: "idle with 100,000 waiting tasks on 3 nodes: statements a second and node",
      value: (statementsSent() - before) / seconds / nodes,
      unit: "",
      atMost: 3,
    },
  ];
}
