/** The invariants that a history is checked for. */
export const invariants = [
  "acknowledged",
  "streams",
  "order",
  "log",
  "steps",
  "push",
  "counters",
  "quiet",
] as const;

/** One of the invariants that a history is checked for. */
export type Invariant = (typeof invariants)[number];

/** Something in a history that must not be. */
export interface Violation {
  readonly invariant: Invariant;
  /** The task it is about. */
  readonly taskId?: string;
  /** What was found, and what was expected. */
  readonly message: string;
}
