import type { ClusterNode } from "../cluster-node.js";
import { pause, repeat } from "./row.js";
import type { Ground, Row } from "./row.js";

function pickNode({ cluster, chance }: Ground): ClusterNode {
  return chance.pick(cluster.members).node;
}

/** A node is gone, and comes back before or after others have taken over its tasks. */
export async function killOne(ground: Ground): Promise<void> {
  const { cluster, recorder, chance } = ground;
  const node = pickNode(ground);
  await recorder.fault("kill -9", node.name, async () => {
    await node.kill();
    await pause(cluster.leaseMs * (0.2 + chance.below(150) / 100), ground);
    await node.start();
  });
}

/** A node stands still for so long that its tasks are taken from it, and then goes on as if nothing had been. */
export async function stopOne(ground: Ground): Promise<void> {
  const { cluster, recorder } = ground;
  const node = pickNode(ground);
  await recorder.fault("SIGSTOP", node.name, async () => {
    await node.pause();
    // Not shortened: a pause within the lease tests nothing.
    await pause(cluster.leaseMs * 1.5, { signal: new AbortController().signal });
    node.resume();
  });
}

export const killRow: Row = {
  name: "kill-9",
  expected: "others claim within the lease; streams resume by id; nothing acknowledged is lost",
  fail: (ground) => repeat(ground, () => killOne(ground)),
};

export const stopRow: Row = {
  name: "sigstop",
  expected: "the first append is refused by its epoch; nothing is written under the old epoch",
  fail: (ground) => repeat(ground, () => stopOne(ground)),
};

/** Longer than a busy machine keeps a process from its work, shorter than the clocks are apart. */
const patientMs = 30_000;

/**
 * With patience all round, only a wrong clock can make one node take a task from another: no lease ends because a
 * process got no time on the machine, and no answer or cancel is taken up by who got it because the holder was slow.
 */
export const skewRow: Row = {
  name: "clock-skew",
  expected: "no task is taken from a node that is alive, whatever its clock says; the node warns",
  cluster: () => ({
    leaseMs: patientMs,
    settings: { takeUpMs: patientMs, cancelGraceMs: patientMs },
    forNode: (number) => ({ clockSkewMs: skews[number % 3] ?? 0 }),
  }),
  fail: (ground) => pause(600_000, ground),
  check({ end }, reports) {
    const taken = end.tasks.filter(
      ({ record, log }) =>
        record.epoch > 1 ||
        log.some(({ event }) => event.kind === "run-resumed" && event.attempt > 1),
    );
    const silent = reports.filter(
      (report, number) => report.includes("this node's clock is") !== (skews[number % 3] !== 0),
    );
    return [
      ...(taken.length > 0
        ? [`${taken.length} tasks were taken from their nodes, and no node had died`]
        : []),
      ...(silent.length > 0
        ? [`${silent.length} nodes did not say whether their clocks are wrong`]
        : []),
    ];
  },
};

const skews = [60_000, -60_000, 0];

export const upgradeRow: Row = {
  name: "rolling-upgrade",
  expected: "old and new nodes work at once; a node that stops hands over at once",
  async fail(ground) {
    const { cluster, recorder } = ground;
    let revision = 1;
    await repeat(ground, async () => {
      revision += 1;
      for (const { node } of cluster.members) {
        await recorder.fault("restart", node.name, async () => {
          await node.terminate();
          await node.start({ revision: `${revision}` });
        });
        await pause(500, ground);
      }
    });
  },
};

export const calmRow: Row = {
  name: "calm",
  expected: "nothing goes wrong where nothing is done",
  fail: (ground) => pause(600_000, ground),
};
