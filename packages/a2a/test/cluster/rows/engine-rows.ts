import type { Store, TaskRecord } from "@parley/a2a/store";
import type { CutProxy } from "../../support/proxies/cut-proxy.js";
import { Caller } from "../caller.js";
import type { Member } from "../open-cluster.js";
import { pause, repeat } from "./row.js";
import type { Ground, Row } from "./row.js";

/** The history's tasks of the agent whose handlers cannot be repeated that failed though no node died. */
const noPlainFailures: Row["check"] = (history) => {
  const failed = history.end.tasks.filter(
    ({ record }) => record.agent === "Plain" && record.state === "TASK_STATE_FAILED",
  );
  return failed.length === 0
    ? []
    : [`${failed.length} runs of the agent that is not durable failed, and no node had died`];
};

export async function restartPostgres(ground: Ground): Promise<void> {
  const { engines, recorder, chance, cluster } = ground;
  const mode = chance.is(0.5) ? "fast" : "immediate";
  await recorder.fault(`PostgreSQL ${mode} restart`, undefined, async () => {
    await engines.postgres?.halt(mode);
    // Now and then longer than all leases.
    await pause(chance.below(cluster.leaseMs * 1.5), ground);
    await engines.postgres?.start();
  });
}

export const restartRow: Row = {
  name: "postgres-restart",
  expected: "appends wait; streams stay open; no run of an agent that is not durable fails",
  needs: ["postgres"],
  fail: (ground) => repeat(ground, () => restartPostgres(ground)),
  check: noPlainFailures,
};

export const failoverRow: Row = {
  name: "failover-synchronous",
  expected: "as a restart: nothing acknowledged is lost",
  needs: ["postgres", "standby"],
  isSynchronous: true,
  async fail(ground) {
    const { engines, recorder, cluster } = ground;
    await pause(3000, ground);
    await recorder.fault("failover", undefined, async () => {
      engines.failover?.stallReplication();
      await pause(300, ground);
      await engines.failover?.failOver(cluster.leaseMs / 2);
    });
    await pause(600_000, ground);
  },
  check: noPlainFailures,
};

export const lossyFailoverRow: Row = {
  ...failoverRow,
  name: "failover-asynchronous",
  expected: "commits are lost; this is noticed, and no task is stuck",
  isSynchronous: false,
  // What the primary had acknowledged and the standby had not got is gone, for whoever had seen it.
  allows: ["acknowledged", "streams", "order", "steps", "push"],
  check: () => [],
};

/** How a way is made impassable: what was sent is held back and arrives later, is lost, is refused, or is slow. */
type Cut = "late" | "lost" | "refused" | "slow";

async function cutOne(
  ground: Ground,
  to: "toStore" | "toBus",
  { name, cuts }: { readonly name: string; readonly cuts: readonly Cut[] },
): Promise<void> {
  const { cluster, recorder, chance } = ground;
  const member = chance.pick(cluster.members);
  const way: CutProxy | undefined = member[to];
  const how = chance.pick(cuts);
  await recorder.fault(`${name} (${how})`, member.node.name, async () => {
    if (how === "late" || how === "lost") way?.stall();
    if (how === "slow") way?.delay(200);
    if (how === "refused") await way?.cut();
    // What arrives late is to arrive after others have taken over.
    const share = how === "late" ? 1.5 : 0.3 + chance.below(150) / 100;
    await pause(cluster.leaseMs * share, how === "late" ? unhurried : ground);
    if (how === "lost") way?.reset();
    await way?.resume();
  });
}

const unhurried = { signal: new AbortController().signal };
const allCuts: readonly Cut[] = ["late", "lost", "refused", "slow"];

export const databaseCutRow: Row = {
  name: "database-cut",
  expected: "durable runs are aborted at the end of the lease; others take over",
  needs: ["postgres"],
  fail: (ground) =>
    repeat(ground, () => cutOne(ground, "toStore", { name: "database cut", cuts: allCuts })),
};

export const lateWritesRow: Row = {
  name: "late-writes",
  expected: "what arrives at the database after others have taken over is refused by its epoch",
  needs: ["postgres"],
  async fail(ground) {
    const { cluster, recorder, chance } = ground;
    const store = await cluster.openStore();
    try {
      await repeat(ground, async () => {
        const number = chance.below(cluster.members.length);
        const taskIds = await keepBusy(ground, number);
        const { node, toStore } = cluster.members[number] as Member;
        await recorder.fault("writes held back until others go on", node.name, async () => {
          try {
            const taskId = await node.holdWrites(taskIds, patienceMs);
            const before = await store.loadRecord(taskId);
            toStore?.stall();
            await untilTaken(store, before, 40 * cluster.leaseMs);
          } finally {
            await toStore?.resume();
            node.letWritesGo();
          }
        });
      });
    } finally {
      await store.close();
    }
  },
};

/** How long a run that writes all the time may take to write. */
const patienceMs = 20_000;

/** Waits until another process has gone on with a task. Without that no write comes late, and nothing was tried. */
async function untilTaken(
  store: Store,
  before: TaskRecord | undefined,
  forMs: number,
): Promise<void> {
  const deadline = performance.now() + forMs;
  while (before !== undefined && performance.now() < deadline) {
    const now = await store.loadRecord(before.taskId);
    if (now === undefined) break;
    if (now.node !== before.node && now.sequence > before.sequence) return;
    await pause(100, unhurried);
  }
  throw new Error(`nobody went on with ${before?.taskId} within ${forMs} ms`);
}

/** Begins runs on one node that write all the time, so that something is on its way whenever the way is cut. */
async function keepBusy({ cluster, recorder }: Ground, node: number): Promise<readonly string[]> {
  const agent = await cluster.connect(["JSONRPC", "1.0"], { node });
  const { signal } = unhurried;
  const newId = (): string => crypto.randomUUID();
  const caller = new Caller({ agent, recorder, newId, timeoutMs: 20_000, signal });
  const sending = { text: "work 1 300 40", immediate: true };
  const sent = await Promise.all(Array.from({ length: 4 }, () => caller.send(sending)));
  const taskIds = sent.flatMap((task) => (task === undefined ? [] : [task.id]));
  const hasBegun = async (id: string): Promise<boolean> =>
    (await caller.get(id))?.artifacts !== undefined;
  for (let looks = 0; looks < 100; looks += 1) {
    if ((await Promise.all(taskIds.map(hasBegun))).every(Boolean)) break;
    await pause(100, unhurried);
  }
  return taskIds;
}

export const natsCutRow: Row = {
  name: "nats-cut",
  expected: "nodes poll: correct, later",
  needs: ["postgres", "nats"],
  fail: (ground) =>
    repeat(ground, () => cutOne(ground, "toBus", { name: "NATS cut", cuts: allCuts })),
  check: noPlainFailures,
};

export const natsRestartRow: Row = {
  name: "nats-restart",
  expected: "nodes poll: correct, later",
  needs: ["postgres", "nats"],
  async fail(ground) {
    const { engines, recorder, cluster } = ground;
    await repeat(ground, () =>
      recorder.fault("NATS restart", undefined, async () => {
        await engines.nats?.halt();
        await pause(cluster.leaseMs, ground);
        await engines.nats?.start();
      }),
    );
  },
  check: noPlainFailures,
};

export const poolerRow: Row = {
  name: "pgbouncer",
  expected: "all works in transaction mode, but for wake-ups, which have a way of their own",
  needs: ["postgres", "pgbouncer"],
  fail: (ground) => pause(600_000, ground),
  check: noPlainFailures,
};

export const slowDiskRow: Row = {
  name: "slow-disk",
  expected: "batches grow; no lease is lost",
  needs: ["postgres"],
  // Each commit waits for this many microseconds before it is written, as on a disk that is slow to flush.
  settings: { commit_delay: "50000", commit_siblings: "0" },
  fail: (ground) => pause(600_000, ground),
  check: noPlainFailures,
};
