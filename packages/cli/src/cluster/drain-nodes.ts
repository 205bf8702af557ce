import type { Bus } from "@parley/a2a/bus";
import type { NodeRecord, Store } from "@parley/a2a/store";

export interface Drain {
  readonly store: Store;
  readonly bus: Pick<Bus, "publishTopic">;
  readonly nodes: readonly NodeRecord[];
  /** Waits before the next look; resolves to false when there is no more time. */
  readonly pause: () => Promise<boolean>;
  /** Is told how many tasks the nodes still hold, whenever that changes. */
  readonly onProgress: (left: number) => void;
}

/**
 * Asks nodes to hand over their tasks. Resolves to how many they still hold: 0, unless time ran out. The marks stay either
 * way.
 */
export async function drainNodes(drain: Drain): Promise<number> {
  const { store, bus, nodes, pause, onProgress } = drain;
  for (const { node } of nodes) {
    // A node that has ended meanwhile has nothing to hand over.
    if (await store.setDraining(node, true)) bus.publishTopic("drain", node);
  }
  let told: number | undefined;
  for (;;) {
    const left = await countHeld(store, nodes);
    if (left !== told) onProgress(left);
    told = left;
    if (left === 0 || !(await pause())) return left;
  }
}

/** Takes the marks back. */
export async function undrainNodes({
  store,
  bus,
  nodes,
}: Pick<Drain, "store" | "bus" | "nodes">): Promise<void> {
  for (const { node } of nodes) {
    if (await store.setDraining(node, false)) bus.publishTopic("drain", node);
  }
}

async function countHeld(store: Store, nodes: readonly NodeRecord[]): Promise<number> {
  const held = await Promise.all(nodes.map(({ agent, node }) => store.listHeld(agent, node)));
  return held.reduce((sum, { length }) => sum + length, 0);
}
