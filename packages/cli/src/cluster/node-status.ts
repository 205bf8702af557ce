import type { NodeRecord, Store } from "@parley/a2a/store";

/** A node as operators see it. */
export interface NodeStatus {
  readonly slot: number;
  readonly node: string;
  readonly agent: string;
  readonly revision: string;
  readonly version: string;
  readonly address: string | null;
  /** Whether its lease is not over, in the store's time. */
  readonly isLive: boolean;
  /** Roughly, since this machine's clock is not the store's. */
  readonly leaseLeftMs: number;
  readonly isDraining: boolean;
  /** Submitted and working tasks under its lease. */
  readonly tasks: number;
}

/** Reads the nodes of a store, by slot. */
export async function readNodes(
  store: Store,
  now: () => number = Date.now,
): Promise<readonly NodeStatus[]> {
  const records = await store.listNodes();
  return Promise.all(records.map((record) => readNode(store, record, now())));
}

async function readNode(store: Store, record: NodeRecord, now: number): Promise<NodeStatus> {
  const { node, slot, agent, revision, version, address, until, isDraining } = record;
  const [isLive, held] = await Promise.all([store.isLive(node), store.listHeld(agent, node)]);
  const leaseLeftMs = isLive ? Math.max(0, until - now) : 0;
  const about = { slot, node, agent, revision, version, address: address ?? null };
  return { ...about, isLive, leaseLeftMs, isDraining, tasks: held.length };
}
