import { setTimeout as sleep } from "node:timers/promises";
import type { History } from "@parley/a2a/testing";
import type { Caller } from "../caller.js";
import type { Chance } from "../chance.js";
import type { EngineNeeds, Engines } from "../engines.js";
import type { Cluster, ClusterOptions } from "../open-cluster.js";
import type { Recorder } from "../recorder.js";

/** What the faults of a row have at hand. */
export interface Ground {
  readonly cluster: Cluster;
  readonly engines: Engines;
  readonly recorder: Recorder;
  readonly chance: Chance;
  /** Callers of the durable agent, over all interfaces. */
  readonly callers: readonly Caller[];
  /** How many watchers there are where a row is about many. */
  readonly watchers: number;
  /** Aborted when there have been enough faults. */
  readonly signal: AbortSignal;
}

/** A row of the failure matrix. */
export interface Row extends EngineNeeds {
  readonly name: string;
  /** What must happen. */
  readonly expected: string;
  readonly cluster?: (engines: Engines) => Partial<ClusterOptions>;
  /** Makes faults until the signal is aborted, and puts everything right before it resolves. */
  readonly fail: (ground: Ground) => Promise<void>;
  /** What this row promises beyond the invariants; returns what is wrong. The reports are those of each node. */
  readonly check?: (history: History, reports: readonly string[]) => readonly string[];
  /** What the row allows that the invariants forbid. */
  readonly allows?: readonly string[];
}

/** Waits, but no longer than there are to be faults. */
export async function pause(ms: number, { signal }: Pick<Ground, "signal">): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

/** Makes one fault after the other, with time between them in which the cluster goes on. */
export async function repeat(ground: Ground, fault: () => Promise<void>): Promise<void> {
  const { cluster, chance, signal } = ground;
  await pause(500 + chance.below(500), ground);
  do {
    await fault();
    await pause(cluster.leaseMs * (0.5 + chance.below(100) / 100), ground);
  } while (!signal.aborted);
}
