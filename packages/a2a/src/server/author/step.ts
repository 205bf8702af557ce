import type { JsonValue } from "../../protocol/internal.js";

/** What the work of a step gets to know about its attempt. */
export interface StepAttempt {
  /** The number of this attempt, from 1. A run that is begun again counts anew. */
  readonly attempt: number;
  /**
   * The same in every attempt of this step of this task, and different for every other: hand it to services that
   * take idempotency keys.
   */
  readonly key: string;
  /** Aborted when the attempt has taken longer than `timeoutMs`, and when the run is stopped. */
  readonly signal: AbortSignal;
}

/** How a step copes with failure. */
export interface StepOptions {
  /** How many further attempts a failed step gets. Default: none. */
  readonly retries?: number;
  /** How long one attempt may take. An attempt that takes longer has failed. Default: as long as it likes. */
  readonly timeoutMs?: number;
  /** The pause before each further attempt. It grows by `factor` up to `maxMs`. */
  readonly backoff?: {
    /** Default: 1000. */
    readonly firstMs?: number;
    /** Default: 2. */
    readonly factor?: number;
    /** Default: 60,000. */
    readonly maxMs?: number;
  };
}

/**
 * `T` where JSON can carry it, and `never` in the place of what it cannot: dates, functions, big integers, classes
 * with methods.
 */
export type Jsonable<T> = unknown extends T
  ? T
  : T extends JsonValue | undefined | void
    ? T
    : T extends bigint | symbol | ((...given: never[]) => unknown) | { toJSON(): unknown }
      ? never
      : { [Member in keyof T]: Jsonable<T[Member]> };
