import { A2AError } from "../protocol/internal.js";
import type { TaskState } from "../protocol/internal.js";
import type { Append, NewTask, Store } from "../store/internal.js";
import { assertEqual } from "./assert.js";
import { createStoreModel } from "./store-model.js";

type Method = Exclude<keyof Store, "description" | "close" | symbol>;

/** A call of any method of a store, with its arguments. */
export type StoreCall = {
  readonly [M in Method]: { readonly method: M; readonly args: Readonly<Parameters<Store[M]>> };
}[Method];

/** An append by a writer that may be behind. Creates a task that does not exist. */
export interface AppendOperation {
  readonly method: "appendNext";
  readonly taskId: string;
  readonly create: NewTask;
  readonly write: Pick<
    Append,
    | "events"
    | "node"
    | "checkpoint"
    | "bytes"
    | "messageIds"
    | "idempotency"
    | "pushConfig"
    | "notifyAt"
    | "limits"
  >;
  /** The status of a new task; by default it has been working since 0. */
  readonly status?: { readonly state: TaskState; readonly at: number };
  /** How many entries and how many epochs the writer has missed. */
  readonly behind: number;
  readonly fenced: number;
}

/** A claim by a node that may have missed an epoch. */
export interface ClaimOperation {
  readonly method: "claimNext";
  readonly taskId: string;
  readonly node: string;
  readonly fenced: number;
  /** How many entries the node has missed. Absent: the claim names no sequence. */
  readonly behind?: number;
}

/** One operation on a store, as data that a generator can make and shrink. */
export type StoreOperation = StoreCall | AppendOperation | ClaimOperation;

/**
 * Performs the same operations on a store and on the model, and compares every result and every error. Operations
 * are data, so that any generator can create and shrink them. Where a limit leaves the choice to the store (of
 * abandoned, due, buried, expired or ended things), operations need a limit that is large enough for all.
 */
export async function compareWithModel(
  store: Store,
  operations: readonly StoreOperation[],
): Promise<void> {
  const model = createStoreModel();
  for (const [index, operation] of operations.entries()) {
    const call = await resolve(operation, model);
    const expected = await answerOf(model, call);
    const answer = await answerOf(store, call);
    assertEqual(answer, expected, `operation ${index + 1}, ${JSON.stringify(call)}`);
  }
}

async function resolve(operation: StoreOperation, model: Store): Promise<StoreCall> {
  if (operation.method === "claimNext") {
    const { taskId, node, fenced, behind } = operation;
    const record = await model.loadRecord(taskId);
    const epoch = (record?.epoch ?? 1) - fenced;
    const known = behind !== undefined && { sequence: (record?.sequence ?? 0) - behind };
    return { method: "claim", args: [{ taskId, node, epoch, ...known }] };
  }
  if (operation.method !== "appendNext") return operation;
  const { taskId, create, write, status, behind, fenced } = operation;
  const record = await model.loadRecord(taskId);
  const expectedSequence = Math.max(0, (record?.sequence ?? 0) - behind);
  const isNew = record === undefined;
  const stands = status ?? (isNew ? { state: "TASK_STATE_WORKING", at: 0 } : undefined);
  const append: Append = {
    ...write,
    taskId,
    expectedSequence,
    epoch: (record?.epoch ?? 1) - fenced,
    ...(isNew && { create }),
    ...(stands && { status: stands }),
  };
  return { method: "append", args: [append] };
}

/** The result of a call, sorted where the contract defines no order; or its error. */
async function answerOf(store: Store, { method, args }: StoreCall): Promise<unknown> {
  const call = store[method] as (...args: unknown[]) => Promise<unknown>;
  try {
    const answer = await call.apply(store, [...args]);
    const isUnordered = ["findAbandoned", "listHeld", "claimQueues"].includes(method);
    if (!isUnordered || !Array.isArray(answer)) return { answer };
    return { answer: answer.toSorted((left, right) => (spell(left) < spell(right) ? -1 : 1)) };
  } catch (error) {
    if (A2AError.is(error)) return { refused: error.code };
    throw error;
  }
}

function spell(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return JSON.stringify(
    Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}
