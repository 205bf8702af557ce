import { createMemoryStore } from "../../store/memory/internal.js";
import type { Store } from "../../store/internal.js";
import type { openRuntime } from "../../server/internal.js";
import { checkHistory } from "../history/check-history.js";
import type { History } from "../history/history.js";
import { BusHub } from "./cluster/bus-hub.js";
import { ClusterNode } from "./cluster/cluster-node.js";
import type { ClusterParts } from "./cluster/cluster-node.js";
import { Nemesis } from "./cluster/nemesis.js";
import { StoreHub } from "./cluster/store-hub.js";
import type { Coverage } from "./coverage.js";
import { Choices } from "./engine/choices.js";
import type { ChoiceList } from "./engine/choices.js";
import { Faults, faultNames } from "./engine/faults.js";
import type { FaultName } from "./engine/faults.js";
import { guardPlatform } from "./engine/guard-platform.js";
import { checkGenerations } from "./invariants/generations.js";
import { readEnd } from "./read-end.js";
import { createSimulatedSender } from "./workload/create-receiver.js";
import { createWorker } from "./workload/create-worker.js";
import { Job } from "./workload/job.js";
import { Network } from "./workload/network.js";
import { Witness } from "./workload/witness.js";
import { World } from "./world.js";

/** One run of a simulation. */
export interface SeedOptions {
  readonly seed: number;
  readonly nodes: number;
  readonly tasks: number;
  readonly faults?: readonly FaultName[];
  /** What to choose instead of what the seed says; all other choices are tame. */
  readonly choices?: ChoiceList;
  readonly keepsTrace?: boolean;
  /** Wraps the store that all nodes share. */
  readonly wrapStore?: (store: Store) => Store;
  readonly openRuntime?: typeof openRuntime;
}

/** What a run has shown. */
export interface SeedResult {
  readonly seed: number;
  /** What must not be. */
  readonly violations: readonly { readonly invariant: string; readonly message: string }[];
  readonly steps: number;
  readonly simulatedMs: number;
  readonly statements: number;
  readonly messages: number;
  /** The same for every run of the same seed. */
  readonly hash: string;
  readonly trace: readonly string[];
  /** The choices that were not tame. */
  readonly choices: ChoiceList;
  readonly coverage: Coverage;
  readonly history: History;
}

const leaseMs = 4000;

/** How long jobs begin and faults happen. */
const busyMs = 20_000;

/** How long everything may take to come to rest once no more faults happen. */
const restMs = 240_000;

const settings = {
  leaseMs,
  cancelGraceMs: 1000,
  takeUpMs: 1500,
  stopGraceMs: 2000,
  suspendForMs: 12_000,
  pushTimeoutMs: 1000,
  minPushDelayMs: 200,
  maxPushDelayMs: 4000,
  maxPushAttempts: 12,
} as const;

/** Runs one seed from its start to its end, and checks what it has shown. */
export async function runSeed(options: SeedOptions): Promise<SeedResult> {
  const { seed, keepsTrace = false } = options;
  const choices = new Choices(seed, options.choices);
  const faults = new Faults(choices, options.faults ?? faultNames);
  const world = new World({ seed, choices, faults, keepsTrace });
  const release = guardPlatform(() => world.scheduler.isInStep);
  try {
    return await play(world, options);
  } finally {
    release();
  }
}

async function play(world: World, options: SeedOptions): Promise<SeedResult> {
  const { scheduler, faults, choices } = world;
  const storeClock = { now: () => world.startAt + Math.floor(scheduler.now / 1000) };
  const store = createMemoryStore({ clock: storeClock });
  const stores = new StoreHub(options.wrapStore?.(store) ?? store);
  world.hub = stores;
  const buses = new BusHub(world);
  const witness = new Witness(world);
  const isDurable = !choices.chance("plain", 4);
  const parts: ClusterParts = {
    world,
    stores,
    buses,
    settings,
    createAgent: (life, revision) => createWorker({ world, witness, isDurable }, life, revision),
    createSender: (life) => createSimulatedSender(world, life),
    ...(options.openRuntime !== undefined && { openRuntime: options.openRuntime }),
  };
  const nodes = Array.from(
    { length: options.nodes },
    (_, index) => new ClusterNode(parts, `n${index + 1}`),
  );
  for (const node of nodes) node.start();
  const network = new Network(world, nodes);
  const jobs = Array.from({ length: options.tasks }, (_, index) => new Job(world, network, index));
  for (const job of jobs) job.begin(busyMs / 2);
  new Nemesis({ world, nodes, buses, leaseMs }).begin();

  const areDone = (): boolean => jobs.every(({ isDone }) => isDone);
  await scheduler.run(busyMs * 1000);
  faults.isCalm = true;
  const calmUntil = scheduler.now + restMs * 1000;
  await scheduler.run(calmUntil, areDone);
  for (const job of jobs) {
    if (!job.isDone) world.problem(`${job.name} still waits for ${job.waitsFor}`);
  }
  await scheduler.run(scheduler.now + 3 * leaseMs * 1000);
  const end = await readEnd(world, stores, leaseMs);
  // What the end of the nodes does to callers that still wait is not looked at.
  const history = world.recorder.history(end);
  for (const node of nodes) node.checkAtRest();
  for (const node of nodes) node.stop(false);
  await scheduler.run(scheduler.now + 10_000_000);

  const violations = [
    ...checkHistory(history).map(({ invariant, taskId, message }) => ({
      invariant,
      message: `${taskId ?? "cluster"}: ${message}`,
    })),
    ...Array.from(checkGenerations(end.tasks), (message) => ({ invariant: "generation", message })),
    ...world.problems.map((message) => ({ invariant: "problem", message })),
  ];
  return {
    seed: options.seed,
    violations,
    steps: scheduler.count,
    simulatedMs: world.nowMs,
    statements: world.statements,
    messages: world.messages,
    hash: world.trace.hash,
    trace: world.trace.lines,
    choices: choices.made,
    coverage: world.coverage,
    history,
  };
}
