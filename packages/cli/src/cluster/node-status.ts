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
  /** In the store's time; 0 when the lease is over. */
  readonly leaseLeftMs: number;
  readonly isDraining: boolean;
  /** Submitted and working tasks under its lease. */
  readonly tasks: number;
}

/** Reads the nodes of a store, by slot. */
export async function readNodes(store: Store): Promise<readonly NodeStatus[]> {
  const records = await store.listNodes();
  return Promise.all(records.map((record) => readNode(store, record)));
}

async function readNode(store: Store, record: NodeRecord): Promise<NodeStatus> {
  const { node, slot, agent, revision, version, address, leaseLeftMs, isDraining } = record;
  const held = await store.listHeld(agent, node);
  const about = { slot, node, agent, revision, version, address: address ?? null };
  return { ...about, isLive: leaseLeftMs > 0, leaseLeftMs, isDraining, tasks: held.length };
}
