import type { Store } from "../../store/internal.js";
import type { Statements } from "../contract-case.js";

/** What a statement about stores works with. */
export interface StoreBench {
  readonly store: Store;
  /** The same store as another node sees it; the store itself when it is for one node. */
  readonly another: () => Promise<Store>;
  /** Opens the data of the store again. */
  readonly reopen: () => Promise<Store>;
  /** Moves the store's time forward. */
  readonly advance: (ms: number) => Promise<void>;
}

export type StoreStatements = Statements<StoreBench>;
