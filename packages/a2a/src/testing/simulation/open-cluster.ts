import type { Store } from "../../store/internal.js";
import { createMemoryStore } from "../../store/memory/internal.js";
import type { Choices } from "./engine/choices.js";
import type { SeedOptions } from "./seed-options.js";
import { createSimulatedSender } from "./workload/create-receiver.js";
import { createWorker } from "./workload/create-worker.js";
import { Network } from "./workload/network.js";
import { Witness } from "./workload/witness.js";
import type { World } from "./world/world.js";
import { BusHub } from "./cluster/bus-hub.js";
import { ClusterNode } from "./cluster/cluster-node.js";
import type { ClusterParts } from "./cluster/cluster-node.js";
import { Nemesis } from "./cluster/nemesis.js";
import { StoreHub } from "./cluster/store-hub.js";

/** How long a silent node keeps its tasks. */
export const leaseMs = 4000;

const usual = {
  leaseMs,
  cancelGraceMs: 1000,
  takeUpMs: 1500,
  stopGraceMs: 2000,
  pushTimeoutMs: 1000,
  minPushDelayMs: 200,
  maxPushDelayMs: 4000,
  maxPushAttempts: 12,
} as const;

function drawSettings(choices: Choices) {
  return {
    suspendForMs: choices.pick("settings/suspendForMs", [12_000, 1500] as const),
    ...(choices.chance("settings/retention", 8) && { retentionMs: 3000 }),
    ...(choices.chance("settings/waiting", 8) && { waitingRetentionMs: 9000 }),
    idempotentMessageIds: choices.chance("settings/idempotentMessageIds", 4),
  };
}

/** Nodes over one store and one bus, and the network in front of them. */
export interface Cluster {
  readonly nodes: readonly ClusterNode[];
  readonly stores: StoreHub;
  readonly network: Network;
  /** Whether runs are begun again when their node is gone. */
  readonly isDurable: boolean;
  readonly nemesis: Nemesis;
  /** Forgets, and deletes from the store, what is over. */
  forget(): Promise<void>;
}

/** Starts all nodes. */
export function openCluster(world: World, options: SeedOptions): Cluster {
  const { scheduler, choices } = world;
  const { wrapStore = (store: Store) => store } = options;
  const stores = new StoreHub({
    createStore: (now) => wrapStore(createMemoryStore({ clock: { now } })),
    now: () => world.startAt + Math.floor(scheduler.now / 1000),
    hasStandby: world.faults.has("failover"),
  });
  world.tasks = stores;
  const buses = new BusHub(world, options.isBusSilent ?? false);
  const witness = new Witness(world);
  const isDurable = !choices.chance("plain", 4);
  // What light callers cost is to be the cost of the usual settings.
  const { isLight = false } = options;
  // Handlers that wait for messages of callers that are gone would take up few slots for ever.
  const isNarrow = !isLight && choices.chance("narrow", 4);
  const parts: ClusterParts = {
    world,
    stores,
    buses,
    settings: isLight
      ? usual
      : { ...usual, ...drawSettings(choices), maxConcurrentRuns: isNarrow ? 2 : 1000 },
    createAgent: (life, revision) =>
      createWorker({ world, witness, isDurable, isHasty: isNarrow }, life, revision),
    createSender: (life) => createSimulatedSender(world, life),
    ...(options.openRuntime !== undefined && { openRuntime: options.openRuntime }),
  };
  const nodes = Array.from(
    { length: options.nodes },
    (_, index) => new ClusterNode(parts, `n${index + 1}`),
  );
  for (const node of nodes) node.start();
  return {
    nodes,
    stores,
    isDurable,
    network: new Network(world, nodes),
    nemesis: new Nemesis({ world, nodes, buses, stores, leaseMs }),
    async forget() {
      world.recorder.clear();
      world.choices.forget();
      witness.clear();
      await stores.forget();
    },
  };
}
