import type { Database } from "../../postgres/internal.js";
import type { Scopes } from "./scopes.js";
import type { StoreClock } from "./store-clock.js";
import type { Tables } from "./tables.js";

/** What the operations of a store share. */
export interface Place {
  readonly database: Database;
  readonly tables: Tables;
  readonly scopes: Scopes;
  readonly clock: StoreClock;
  readonly shards: Shards;
}

/** How many shards a node has: one for its batches, one for everything else. */
const perNode = 2;

/** Nodes with higher slots share the shards of others, so that a scope never has more than a few rows to sum up. */
const maxNodes = 64;

/** The counters that this node changes, by its slot. Before the node has one, it shares the first ones. */
export class Shards {
  #slot = -1;

  /** The node has got a slot. */
  take(slot: number): void {
    this.#slot = slot % maxNodes;
  }

  /** For batches, of which one is under way at a time. */
  get batches(): number {
    return (this.#slot + 1) * perNode;
  }

  /** For everything else. */
  get others(): number {
    return this.batches + 1;
  }
}
