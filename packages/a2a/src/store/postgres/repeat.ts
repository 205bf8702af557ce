import { ConnectionLost } from "../../postgres/internal.js";
import type { Database } from "../../postgres/internal.js";

/** The server undid a statement that stood in another's way, or that waited too long. It was not carried out. */
const passing = new Set([
  "40001", // serialization failure
  "40P01", // deadlock
  "55P03", // no lock in time
  "57014", // no end in time
]);

/** How often a statement that stood in another's way is sent again. */
const maxTries = 10;

/** What became of the tries before. */
export interface Tries {
  /** A try before may have been carried out: its connection was lost. */
  readonly isDoubtful: boolean;
  /** The server undid a try before. */
  readonly wasUndone: boolean;
}

/**
 * Does work in a session or a transaction until it is known to be done. The work is told when an earlier try may have
 * been carried out. Gives up when the database's patience is over: while no connection is to be had, and when each one is
 * lost with the work.
 */
export async function repeat<Result>(
  { patienceMs }: Pick<Database, "patienceMs">,
  work: (tries: Tries) => Promise<Result>,
): Promise<Result> {
  let tries: Tries = { isDoubtful: false, wasUndone: false };
  const deadline = performance.now() + patienceMs;
  for (let count = 1; ; count += 1) {
    try {
      return await work(tries);
    } catch (error) {
      const isOver = performance.now() >= deadline;
      if (error instanceof ConnectionLost && !isOver) tries = { ...tries, isDoubtful: true };
      else if (isPassing(error) && count < maxTries) tries = { ...tries, wasUndone: true };
      else throw error;
    }
  }
}

function isPassing(error: unknown): boolean {
  return error instanceof Error && "code" in error && passing.has(String(error.code));
}
