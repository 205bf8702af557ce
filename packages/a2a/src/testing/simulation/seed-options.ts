import type { openRuntime } from "../../server/internal.js";
import type { Store } from "../../store/internal.js";
import type { ChoiceList } from "./engine/choices.js";
import type { FaultName } from "./engine/faults.js";

/** One run of a simulation. */
export interface SeedOptions {
  readonly seed: number;
  readonly nodes: number;
  readonly tasks: number;
  readonly faults?: readonly FaultName[];
  /** What to choose instead of what the seed says; all other choices are tame. */
  readonly choices?: ChoiceList;
  /** The numbers of the callers that take part. Default: all. */
  readonly jobs?: readonly number[];
  readonly keepsTrace?: boolean;
  /** Wraps the store that all nodes share. */
  readonly wrapStore?: (store: Store) => Store;
  readonly openRuntime?: typeof openRuntime;
  /** Callers send one message each and wait for the answer, to see what tasks cost. */
  readonly isLight?: boolean;
  /** The bus carries nothing. */
  readonly isBusSilent?: boolean;
}
