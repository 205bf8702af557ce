import type { NodeInfo, NodeRecord, Renewal } from "../lease-store.js";

/** Leases that ended this long ago are forgotten. A node without a lease counts as dead. */
const forgottenAfterMs = 24 * 60 * 60 * 1000;

interface Known extends Omit<NodeRecord, "leaseLeftMs"> {
  /** When its lease ends. */
  readonly until: number;
}

/** The leases of nodes. */
export class Nodes {
  readonly #nodes = new Map<string, Known>();

  renew(node: string, { until, now }: { until: number; now: number }, info: NodeInfo): Renewal {
    const known = this.#nodes.get(node);
    const slot = known?.slot ?? this.#freeSlot();
    const isDraining = known?.isDraining ?? false;
    this.#nodes.set(node, { ...info, node, slot, until, isDraining });
    let nodes = 0;
    let unheard = 0;
    for (const other of this.#nodes.values()) {
      if (other.until <= now - forgottenAfterMs) this.#nodes.delete(other.node);
      if (other.agent !== info.agent || now >= other.until) continue;
      nodes += 1;
      if (other.isUnheard === true) unheard += 1;
    }
    return { now, nodes, unheard, isDraining };
  }

  release(node: string): void {
    this.#nodes.delete(node);
  }

  isLive(node: string, now: number): boolean {
    return now < (this.#nodes.get(node)?.until ?? -Infinity);
  }

  /** Whether a node has a lease, or had one that it has not released. */
  isKnown(node: string): boolean {
    return this.#nodes.has(node);
  }

  list(now: number): NodeRecord[] {
    const nodes = [...this.#nodes.values()].sort((left, right) => left.slot - right.slot);
    return nodes.map(({ until, ...known }) => ({
      ...known,
      leaseLeftMs: Math.max(0, until - now),
    }));
  }

  setDraining(node: string, isDraining: boolean): boolean {
    const known = this.#nodes.get(node);
    if (known !== undefined) this.#nodes.set(node, { ...known, isDraining });
    return known !== undefined;
  }

  #freeSlot(): number {
    const taken = new Set(Array.from(this.#nodes.values(), ({ slot }) => slot));
    let slot = 0;
    while (taken.has(slot)) slot += 1;
    return slot;
  }
}
