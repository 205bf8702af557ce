import type { openRuntime } from "../../server/internal.js";
import type { Store } from "../../store/internal.js";
import type { ChoiceList } from "./engine/choices.js";
import type { FaultName } from "./engine/faults.js";

/** How far a run is when the callers of a wave are gone and all is at rest. All counts are since its beginning. */
export interface SimulationWave {
  readonly tasks: number;
  readonly simulatedMs: number;
  /** Requests that reached the store. */
  readonly statements: number;
  /** Wake-ups and topics that were published. */
  readonly messages: number;
}

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
  /** How many callers come at a time. Default: 1,000; 10,000 of those that do little. */
  readonly waveSize?: number;
  /** The bus carries nothing. */
  readonly isBusSilent?: boolean;
  /** Told after each wave of callers, when what they have seen was checked and is not deleted yet. */
  readonly onWave?: (wave: SimulationWave) => void;
}
