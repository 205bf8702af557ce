import { A2AError } from "../../protocol/internal.js";
import { rollBack } from "./connection.js";
import type { Connection } from "./connection.js";
import { toFailure } from "./failure.js";
import type { Batch, Call, Reply } from "./operations.js";
import type { WriteSession } from "./writes/write-session.js";

/** Operations by name. The thread that sends a request guarantees that it fits its operation. */
type Operations = Readonly<Record<string, (request: never) => unknown>>;

/** Runs reads on one snapshot. A read that fails does not affect the others. */
export function runReads(db: Connection, operations: Operations, calls: readonly Call[]): Reply {
  const results: unknown[] = [];
  const failed: number[] = [];
  db.exec("BEGIN");
  for (const call of calls) {
    try {
      results.push(run(operations, call));
    } catch (error) {
      failed.push(results.length);
      results.push(toFailure(error));
    }
  }
  endReading(db);
  return { of: "reads", results, failed };
}

/** A damaged file fails the commit, too, although there is nothing to write. */
function endReading(db: Connection): void {
  try {
    db.exec("COMMIT");
  } catch {
    rollBack(db);
  }
}

/**
 * Runs writes in one transaction. A refused write has written nothing, so it needs no savepoint. When a statement
 * fails, the batch is rolled back and each write runs in its own transaction, so that only the failing one fails.
 */
export function runWrites(
  session: WriteSession,
  operations: Operations,
  { writes: calls, now }: Pick<Batch, "writes" | "now">,
): Reply {
  const results: unknown[] = [];
  const failed: number[] = [];
  try {
    session.begin(now);
    for (const call of calls) {
      try {
        results.push(run(operations, call));
      } catch (error) {
        if (!A2AError.is(error)) throw new BrokenOperation(error);
        failed.push(results.length);
        results.push(toFailure(error));
      }
    }
    flush(session);
    session.commit();
    return { of: "writes", results, failed };
  } catch (error) {
    session.rollback();
    if (error instanceof BrokenOperation && calls.length > 1) {
      const alone = (call: Call): Reply => runWrites(session, operations, toBatch([call], now));
      return join(calls.map(alone));
    }
    const failure = toFailure(error instanceof BrokenOperation ? error.cause : error);
    return { of: "writes", results: calls.map(() => failure), failed: Array.from(calls.keys()) };
  }
}

/** Nobody knows of which operation a collected row was that cannot be written. */
function flush(session: WriteSession): void {
  try {
    session.flush();
  } catch (error) {
    throw new BrokenOperation(error);
  }
}

function toBatch(writes: readonly Call[], now: number | undefined): Pick<Batch, "writes" | "now"> {
  return now === undefined ? { writes } : { writes, now };
}

function run(operations: Operations, { name, request }: Call): unknown {
  const operation = operations[name];
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  return operation(request as never);
}

/** A statement failed that should have worked; a refused operation throws an `A2AError`. */
class BrokenOperation extends Error {
  constructor(cause: unknown) {
    super("an operation failed", { cause });
  }
}

function join(replies: readonly Reply[]): Reply {
  return {
    of: "writes",
    results: replies.flatMap(({ results }) => results),
    failed: replies.flatMap(({ failed }, index) => (failed.length > 0 ? [index] : [])),
  };
}
