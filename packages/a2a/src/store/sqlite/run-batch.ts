import { A2AError } from "../../protocol/internal.js";
import type { Connection } from "./connection.js";
import { toFailure } from "./failure.js";
import type { Call, Reply } from "./operations.js";
import type { WriteSession } from "./write-session.js";

/** Operations by name. That a request fits its operation is up to the thread that sent it. */
type Operations = Readonly<Record<string, (request: never) => unknown>>;

/** Runs reads on one snapshot. Each that fails, fails alone. */
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
  db.exec("COMMIT");
  return { of: "reads", results, failed };
}

/**
 * Runs writes in one transaction. One that is refused has written nothing, so it needs no savepoint. When
 * one breaks, nothing of the batch is kept and each is tried by itself, so that it breaks alone.
 */
export function runWrites(
  session: WriteSession,
  operations: Operations,
  calls: readonly Call[],
): Reply {
  const results: unknown[] = [];
  const failed: number[] = [];
  try {
    session.begin();
    for (const call of calls) {
      try {
        results.push(run(operations, call));
      } catch (error) {
        if (!A2AError.is(error)) throw new BrokenOperation(error);
        failed.push(results.length);
        results.push(toFailure(error));
      }
    }
    session.commit();
    return { of: "writes", results, failed };
  } catch (error) {
    session.rollback();
    if (error instanceof BrokenOperation && calls.length > 1) {
      return join(calls.map((call) => runWrites(session, operations, [call])));
    }
    const failure = toFailure(error instanceof BrokenOperation ? error.cause : error);
    return { of: "writes", results: calls.map(() => failure), failed: Array.from(calls.keys()) };
  }
}

function run(operations: Operations, { name, request }: Call): unknown {
  const operation = operations[name];
  if (operation === undefined) throw new Error(`there is no operation ${name}`);
  return operation(request as never);
}

/** Thrown by a statement that should have worked, as opposed to an operation that was refused. */
class BrokenOperation extends Error {
  constructor(cause: unknown) {
    super("an operation broke", { cause });
  }
}

function join(replies: readonly Reply[]): Reply {
  return {
    of: "writes",
    results: replies.flatMap(({ results }) => results),
    failed: replies.flatMap(({ failed }, index) => (failed.length > 0 ? [index] : [])),
  };
}
