import { setTimeout as sleep } from "node:timers/promises";
import { openPostgresBus } from "@parley/a2a/bus/postgres";
import { fillTasks } from "./fill-tasks.js";
import { openNode, openNodes } from "./nodes.js";
import type { Node } from "./nodes.js";
import { statementsSent } from "./pg.js";
import type { Row } from "./row.js";

const waiting = 100_000;
const nodes = 3;
const seconds = 20;

/** Three nodes with 100,000 tasks that wait for their callers, and nothing to do. */
export async function measureIdle(url: string): Promise<Row[]> {
  const open = async (): Promise<Node> =>
    openNode({ store: url, bus: await openPostgresBus({ url }), run: () => "done" });
  await using _opened = await openNodes(nodes, open);
  await fillTasks(url, waiting, "INPUT_REQUIRED", "Bench");
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
