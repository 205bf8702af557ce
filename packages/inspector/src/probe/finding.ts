/** What a check says: `skipped` where there was nothing to look at. */
export type Verdict = "ok" | "warn" | "error" | "skipped";

/** The result of a check: what it saw and, where something is wrong, what to change. */
export interface Finding {
  readonly verdict: Verdict;
  readonly found: string;
  readonly fix?: string;
}

/** A finding with the check that it comes from. */
export interface Diagnosis extends Finding {
  readonly check: string;
  readonly proves: string;
  /** The interface that was called, such as `JSONRPC 1.0`; absent for what concerns the card. */
  readonly interface?: string;
  readonly url?: string;
}

export function ok(found: string): Finding {
  return { verdict: "ok", found };
}

export function warn(found: string, fix: string): Finding {
  return { verdict: "warn", found, fix };
}

export function broken(found: string, fix: string): Finding {
  return { verdict: "error", found, fix };
}

export function skipped(found: string): Finding {
  return { verdict: "skipped", found };
}
