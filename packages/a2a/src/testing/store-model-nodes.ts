import type { LeaseStore, NodeRecord } from "../store/internal.js";

type Nodes = Pick<LeaseStore, "renewNode" | "releaseNode" | "isLive" | "listNodes" | "setDraining">;

interface ModelNode extends Omit<NodeRecord, "leaseLeftMs"> {
  readonly until: number;
}

/** The nodes of the model. It forgets none that was not released. */
export function createModelNodes(now: () => number): Nodes {
  let nodes: readonly ModelNode[] = [];

  const find = (node: string): ModelNode | undefined => nodes.find((one) => one.node === node);

  const hasLease = (node: string): boolean => (find(node)?.until ?? -Infinity) > now();

  const freeSlot = (): number => {
    let slot = 0;
    while (nodes.some((one) => one.slot === slot)) slot += 1;
    return slot;
  };

  return {
    async renewNode(node, forMs, info) {
      const known = find(node);
      const { slot, isDraining } = known ?? { slot: freeSlot(), isDraining: false };
      const renewed = { ...info, node, slot, isDraining, until: now() + forMs };
      nodes = [...nodes.filter((one) => one !== known), renewed];
      const live = nodes.filter((one) => one.agent === info.agent && hasLease(one.node));
      const unheard = live.filter((one) => one.isUnheard).length;
      return { now: now(), nodes: live.length, unheard, isDraining };
    },
    async releaseNode(node) {
      nodes = nodes.filter((one) => one.node !== node);
    },
    isLive: async (node) => hasLease(node),
    listNodes: async () =>
      nodes
        .toSorted((left, right) => left.slot - right.slot)
        .map(({ until, ...known }) => ({ ...known, leaseLeftMs: Math.max(0, until - now()) })),
    async setDraining(node, isDraining) {
      nodes = nodes.map((one) => (one.node === node ? { ...one, isDraining } : one));
      return find(node) !== undefined;
    },
  };
}
