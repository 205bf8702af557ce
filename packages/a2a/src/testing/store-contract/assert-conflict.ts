import { A2AError } from "../../protocol/internal.js";
import type { Append, Head, Store } from "../../store/internal.js";
import { assert, assertEqual } from "../assert.js";

/** Asserts that an append is refused with `CONCURRENT_MODIFICATION`, and that the refusal says where the log stands. */
export async function assertConflict(store: Store, append: Append, what: string): Promise<void> {
  const head = await headOf(store, append.taskId);
  const [outcome] = await Promise.allSettled([store.append(append)]);
  assert(outcome.status === "rejected", `${what}: expected a refusal, but it was accepted`);
  const error: unknown = outcome.reason;
  assert(A2AError.is(error), `${what}: expected a refusal, but it failed`);
  assertEqual(error.code, "CONCURRENT_MODIFICATION", what);
  assertEqual(
    "head" in error ? error.head : undefined,
    head,
    `where the log stands, after ${what}`,
  );
}

async function headOf(store: Store, taskId: string): Promise<Head | undefined> {
  const record = await store.loadRecord(taskId);
  if (record === undefined) return undefined;
  const { sequence, epoch, state } = record;
  return { sequence, epoch, state };
}
