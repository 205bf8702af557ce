import { setTimeout as sleep } from "node:timers/promises";
import { connectRaw } from "./pg.js";
import { withNodes } from "./processes.js";
import type { Row } from "./row.js";

const runs = 1000;
/** The default of `leaseMs`. */
const leaseSeconds = 15;
/** Runs that have not begun by then are counted as missing. */
const patienceMs = 60_000;

/** A node with 1,000 runs is killed: how long until all run again on the others, and how often each was claimed. */
export async function measureTakeover(url: string): Promise<Row[]> {
  return withNodes(url, 3, async ([killed, ...others]) => {
    if (killed === undefined) throw new Error("there is no node");
    const begun = new Map<string, number>();
    let all: () => void = () => undefined;
    const note = (taskId: string): void => {
      begun.set(taskId, (begun.get(taskId) ?? 0) + 1);
      if (begun.size === runs) all();
    };
    const allBegun = (): Promise<void> =>
      new Promise((resolve) => {
        begun.clear();
        all = resolve;
      });
    let placed: () => void = () => undefined;
    const stored = new Promise<void>((resolve) => (placed = resolve));
    for (const node of [killed, ...others]) {
      node.hear((answer) => {
        if ("begun" in answer) note(answer.begun);
        if ("placed" in answer) placed();
      });
    }
    const first = allBegun();
    killed.order({ runs, words: "stay" });
    await Promise.all([first, stored]);
    const again = allBegun();
    const start = performance.now();
    await killed.kill();
    await Promise.race([again, sleep(patienceMs, undefined, { ref: false })]);
    const seconds = (performance.now() - start) / 1000;
    await using database = await connectRaw(url);
    const rows = await database.query(
      "SELECT max(epoch) AS most, count(DISTINCT node) AS nodes FROM parley.tasks WHERE state <= 2",
    );
    const times = Math.max(...begun.values());
    return [
      {
        name: "a node with 1,000 runs is killed: all run again",
        value: seconds,
        unit: " s",
        atMost: leaseSeconds + 2,
        note: `${begun.size} of ${runs}, on ${String(rows[0]?.["nodes"])} nodes`,
      },
      {
        name: "how often a run was claimed and begun at most",
        value: Math.max(Number(rows[0]?.["most"]) - 1, times),
        unit: "",
        atMost: 1,
      },
    ];
  });
}
