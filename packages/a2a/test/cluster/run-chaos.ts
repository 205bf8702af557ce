import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkHistory, shortenHistory } from "@parley/a2a/testing";
import type { History, Violation } from "@parley/a2a/testing";
import { Caller } from "./caller.js";
import { chanceFrom } from "./chance.js";
import type { Chance } from "./chance.js";
import { effectsIn, isActive, readFinalState, readTraces } from "./final-state.js";
import { interfaces } from "./open-cluster.js";
import type { Cluster } from "./open-cluster.js";
import { openWebhook } from "./open-webhook.js";
import { monotonicNow, Recorder } from "./recorder.js";
import { beginWorkload } from "./workload.js";

export interface ChaosOptions {
  readonly cluster: Cluster;
  /** Where the history goes. */
  readonly folder: string;
  readonly seed: number;
  /** Makes faults until the signal says that it is enough, and puts everything right before it resolves. */
  readonly faults: (
    cluster: Cluster,
    recorder: Recorder,
    given: {
      readonly chance: Chance;
      readonly callers: readonly Caller[];
      readonly signal: AbortSignal;
    },
  ) => Promise<void>;
  /** How long faults are made. */
  readonly forMs: number;
  readonly concurrency?: number;
}

/** What came of a workload under faults. */
export interface ChaosResult {
  readonly history: History;
  readonly violations: readonly Violation[];
  readonly conversations: number;
  /** What had not come to its end long after the last fault, in words. */
  readonly unfinished: readonly string[];
}

/** Watchers leave a node that is silent for so long. A node that stands still does so for longer. */
const watcherStallMs = 3000;

/**
 * How long runs may go on once nobody talks any more: the handler that waits longest waits twice for 20 s. On a busy machine
 * everything takes a few times as long; nobody waits here longer than there is something to wait for.
 */
const longestRunMs = 120_000;

/**
 * How long conversations may take to come to their end once nothing goes wrong any more. A call that gets no answer takes 20 s,
 * and on a busy machine some get none; a conversation that hangs never ends.
 */
const patienceMs = 180_000;

/** Talks with a cluster while things go wrong, and checks what all who took part have seen. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { cluster, folder, seed, faults, forMs, concurrency = 12 } = options;
  await mkdir(folder, { recursive: true });
  const chance = chanceFrom(seed);
  const recorder = new Recorder(join(folder, "history.jsonl"));
  const refusals = chance.fork("webhook");
  await using webhook = await openWebhook(recorder, () => refusals.is(0.1));
  const watching = new AbortController();
  const ids = chance.fork("ids");
  const newId = (): string =>
    `m-${ids.below(2 ** 31).toString(36)}${ids.below(2 ** 31).toString(36)}`;
  const open = async (agent: "/" | "/plain"): Promise<Caller[]> => {
    // Over gRPC there are no paths; the first agent answers there.
    const usable = interfaces.filter(([binding]) => agent === "/" || binding !== "GRPC");
    return Promise.all(
      usable.map(async (one) => {
        const called = await cluster.connect(one, { agent });
        const watched = await cluster.connect(one, { agent, stallMs: watcherStallMs });
        const common = { recorder, newId, timeoutMs: 20_000, signal: watching.signal };
        return new Caller({ agent: called, watched, ...common });
      }),
    );
  };
  const callers = await open("/");
  const plainCallers = await open("/plain");
  const talking = new AbortController();
  const workload = beginWorkload(
    {
      callers,
      plainCallers,
      chance: chance.fork("workload"),
      hookFor: (id) => webhook.urlFor(id),
      concurrency,
    },
    talking.signal,
  );
  const failing = AbortSignal.timeout(forMs);
  await faults(cluster, recorder, { chance: chance.fork("faults"), callers, signal: failing });
  talking.abort();
  const lastFault = Math.max(0, ...recorder.faults.map(({ endedAt }) => endedAt));
  await Promise.race([workload.ended, sleep(patienceMs, undefined, { ref: false })]);
  const unfinished = [...workload.open].map((name) => `conversation ${name} has not ended`);
  if (unfinished.length > 0) unfinished.push(...openEnds(recorder));
  const store = await cluster.openStore();
  try {
    const until = monotonicNow() + 2 * cluster.leaseMs + longestRunMs;
    while (monotonicNow() < until && (await isActive(store))) await sleep(100);
    await sleep(Math.max(0, lastFault + 2 * cluster.leaseMs - monotonicNow()) + 100);
    await untilSent(store, until);
    const traces = await readTraces(cluster.traces);
    const { calls } = recorder;
    const end = await readFinalState(store, traces, { leaseMs: cluster.leaseMs, calls });
    const history = recorder.history(end, effectsIn(traces));
    const violations = checkHistory(history);
    const [first] = violations;
    if (first !== undefined) {
      const shortest = shortenHistory(history, first);
      await writeFile(join(folder, "shortest.json"), JSON.stringify(shortest, undefined, 2));
    }
    return { history, violations, conversations: workload.begun, unfinished };
  } finally {
    watching.abort();
    await store.close();
  }
}

/** The calls and streams that somebody still waits for. */
function openEnds({ calls, streams }: Recorder): readonly string[] {
  const now = monotonicNow();
  return [
    ...calls
      .filter(({ outcome }) => outcome === undefined)
      .map(({ operation, taskId = "no task", begunAt }) => {
        const seconds = Math.round((now - begunAt) / 1000);
        return `a ${operation} for ${taskId} has waited for ${seconds} s`;
      }),
    ...streams
      .filter(({ outcome, taskId }) => outcome === "open" && taskId !== undefined)
      .map(({ name, taskId, events }) => {
        return `stream ${name} of ${taskId} is open after ${events.length} events`;
      }),
  ];
}

/** Waits for notifications that are on their way. */
async function untilSent(
  store: Awaited<ReturnType<Cluster["openStore"]>>,
  until: number,
): Promise<void> {
  for (const agent of ["Chaos", "Plain"]) {
    while (monotonicNow() < until && (await store.countDeliveries(agent)).waiting > 0) {
      await sleep(100);
    }
  }
}
