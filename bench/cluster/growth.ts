import { median } from "../compare.js";
import { connectRaw } from "./pg.js";
import type { Raw } from "./pg.js";
import { withNodes } from "./processes.js";
import type { NodeProcess } from "./processes.js";
import type { Row } from "./row.js";

const workMs = 3000;
const lanes = 64;
const rounds = 3;

/** Lifecycles on one, two and three nodes in processes of their own, and how many connections wait for locks meanwhile. */
export async function measureGrowth(url: string): Promise<Row[]> {
  return withNodes(url, 3, async (nodes) => {
    await using watcher = await connectRaw(url);
    const rates: number[][] = [[], [], []];
    const waits: Waits[] = [];
    for (let turn = -1; turn < rounds; turn += 1) {
      for (const count of [1, 2, 3]) {
        const working = nodes.slice(0, count);
        const [done, waited] = await watchLocks(watcher, () => workOn(working));
        if (turn < 0) continue;
        rates[count - 1]?.push(done / (workMs / 1000));
        if (count === 3) waits.push(waited);
      }
    }
    const [one = 0, two = 0, three = 0] = rates.map(median);
    const note = `${one.toFixed(0)}, ${two.toFixed(0)}, ${three.toFixed(0)} tasks/s, all on one machine`;
    const average = (key: keyof Waits): number =>
      waits.reduce((sum, found) => sum + found[key], 0) / waits.length;
    return [
      { name: "lifecycles on two nodes / one", value: two / one, unit: "×", atLeast: 0.9, note },
      { name: "lifecycles on three nodes / one", value: three / one, unit: "×", atLeast: 0.9 },
      {
        name: "connections that wait for locks while three nodes write",
        value: average("locked"),
        unit: "",
        atMost: 0.05,
        note: `of ${average("active").toFixed(1)} at work on average`,
      },
    ];
  });
}

async function workOn(nodes: readonly NodeProcess[]): Promise<number> {
  const done = await Promise.all(
    nodes.map(
      (node) =>
        new Promise<number>((resolve) => {
          node.hear((answer) => {
            if ("done" in answer) resolve(answer.done);
          });
          node.order({ workMs, lanes });
        }),
    ),
  );
  return done.reduce((sum, count) => sum + count, 0);
}

interface Waits {
  readonly locked: number;
  readonly active: number;
}

/** Looks again and again at what the connections do. */
async function watchLocks(
  watcher: Raw,
  work: () => Promise<number>,
): Promise<readonly [number, Waits]> {
  let isOver = false;
  const working = work().finally(() => (isOver = true));
  let [locked, active, looks] = [0, 0, 0];
  while (!isOver) {
    const [row] = await watcher.query({
      name: "look",
      text: `SELECT count(*) FILTER (WHERE wait_event_type = 'Lock') AS locked, count(*) AS active
        FROM pg_stat_activity
        WHERE state = 'active' AND datname = current_database() AND pid <> pg_backend_pid()`,
    });
    locked += Number(row?.["locked"]);
    active += Number(row?.["active"]);
    looks += 1;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  return [await working, { locked: locked / looks, active: active / looks }];
}
