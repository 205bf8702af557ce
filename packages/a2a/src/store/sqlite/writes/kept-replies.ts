import { A2AError } from "../../../protocol/internal.js";
import type { WriteOperations } from "../operations.js";
import { replies } from "../statements/counters.js";
import {
  deleteKey,
  insertAlias,
  insertKey,
  selectExpiredKeys,
  selectKey,
} from "../statements/idempotency-keys.js";
import { deleteScopeIfEmpty, insertScope } from "../statements/scopes.js";
import { checkLimits } from "./check-limits.js";
import type { WriteSession } from "./write-session.js";

export function saveReply(
  session: WriteSession,
  { scope: whose, claim, reply, limits }: Parameters<WriteOperations["saveReply"]>[0],
): void {
  const { db } = session;
  const known = session.scope(whose);
  if (known !== undefined && selectKey(db, known, claim.key) !== undefined) {
    throw new A2AError("CONCURRENT_MODIFICATION", "the idempotency key is taken");
  }
  if (limits !== undefined) checkLimits(session, whose, limits, "task");
  const scope = known ?? insertScope(db, whose);
  insertKey(db, scope, claim, { reply });
  if (claim.alias !== undefined) insertAlias(db, scope, claim.alias, claim);
  session.count(scope, replies, { tasks: 1, bytes: reply.length });
}

/** Deletes at most `limit` keys that are expired at `now`. Returns how many. */
export function deleteExpiredKeys(session: WriteSession, now: number, limit: number): number {
  const { db } = session;
  const expired = selectExpiredKeys(db, now, limit);
  const scopes = new Set<number>();
  for (const { scope, key, isReply, bytes } of expired) {
    deleteKey(db, { scope, key });
    if (isReply === 1) session.count(scope, replies, { tasks: -1, bytes: -bytes });
    scopes.add(scope);
  }
  if (scopes.size > 0) session.forgetRows();
  for (const scope of scopes) deleteScopeIfEmpty(db, scope);
  return expired.length;
}
