import { A2AError } from "../protocol/internal.js";
import type { TaskState } from "../protocol/internal.js";
import type { Append, NewTask, Store } from "../store/internal.js";
import { assertEqual } from "./assert.js";
import { createStoreModel } from "./store-model.js";

type Method = Exclude<
  keyof Store,
  "description" | "isShared" | "foreignVersion" | "connections" | "close" | symbol
>;

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
    | "whileStates"
  >;
  /** The status of a new task; by default it has been working since 0. */
  readonly status?: { readonly state: TaskState; readonly at: number };
  /** How many entries and how many epochs the writer has missed. */
  readonly behind: number;
  readonly fenced: number;
}

/** An append at the end of a log, wherever that is. */
export interface AppendAtEndOperation {
  readonly method: "appendAtEnd";
  readonly taskId: string;
  readonly write: Omit<AppendOperation["write"], "checkpoint" | "bytes">;
  readonly status?: { readonly state: TaskState; readonly at: number };
}

/** The store's time moves forward. */
export interface AdvanceOperation {
  readonly method: "advance";
  readonly ms: number;
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
export type StoreOperation =
  StoreCall | AppendOperation | AppendAtEndOperation | ClaimOperation | AdvanceOperation;

/** What a comparison needs of the store beside the store itself. */
export interface CompareOptions {
  /** Moves the time of the store forward. It may go on by itself, too. Absent: its time is not moved. */
  readonly advance?: (store: Store, ms: number) => void | Promise<void>;
}

/**
 * Performs the same operations on a store and on the model, and compares every result and every error. Operations
 * are data, so that any generator can create and shrink them. Where a limit leaves the choice to the store (of
 * abandoned, due, buried, expired or ended things), operations need a limit that is large enough for all. Times and slots
 * are the store's own and are not compared, so leases have to last some seconds longer than the time is moved.
 */
export async function compareWithModel(
  store: Store,
  operations: readonly StoreOperation[],
  { advance }: CompareOptions = {},
): Promise<void> {
  let now = 0;
  const model = createStoreModel(() => now);
  for (const [index, operation] of operations.entries()) {
    if (operation.method === "advance") {
      if (advance === undefined) continue;
      now += operation.ms;
      await advance(store, operation.ms);
      continue;
    }
    const call = await resolve(operation, model);
    const expected = await answerOf(model, call);
    const answer = await answerOf(store, call);
    assertEqual(answer, expected, `operation ${index + 1}, ${JSON.stringify(call)}`);
  }
}

async function resolve(
  operation: Exclude<StoreOperation, AdvanceOperation>,
  model: Store,
): Promise<StoreCall> {
  if (operation.method === "claimNext") {
    const { taskId, node, fenced, behind } = operation;
    const record = await model.loadRecord(taskId);
    const epoch = (record?.epoch ?? 1) - fenced;
    const known = behind !== undefined && { sequence: (record?.sequence ?? 0) - behind };
    return { method: "claim", args: [{ taskId, node, epoch, ...known }] };
  }
  if (operation.method === "appendAtEnd") {
    const { taskId, write, status } = operation;
    return { method: "append", args: [{ ...write, taskId, epoch: 0, ...(status && { status }) }] };
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

const unordered: readonly string[] = ["claimAbandoned", "listHeld", "claimQueues", "listNodes"];

/** The result of a call, sorted where the contract defines no order, without what only the store knows; or its error. */
async function answerOf(store: Store, { method, args }: StoreCall): Promise<unknown> {
  const call = store[method] as (...args: unknown[]) => Promise<unknown>;
  try {
    const answer = withoutOwn(await call.apply(store, [...args]));
    if (!unordered.includes(method) || !Array.isArray(answer)) return { answer };
    return { answer: answer.toSorted((left, right) => (spell(left) < spell(right) ? -1 : 1)) };
  } catch (error) {
    if (!A2AError.is(error)) throw error;
    return { refused: error.code, ...("head" in error && { head: error.head }) };
  }
}

/** The members of results that only the store knows. */
const own: ReadonlySet<string> = new Set(["at", "now", "leaseLeftMs", "slot"]);

/** Leaves the events and tasks of callers alone. */
function withoutOwn(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutOwn);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !own.has(name))
      .map(([name, member]) => [name, isCallers(name) ? member : withoutOwn(member)]),
  );
}

function isCallers(name: string): boolean {
  return ["event", "checkpoint", "config", "reply"].includes(name);
}

function spell(value: unknown): string {
  if (typeof value !== "object" || value === null) return String(value);
  return JSON.stringify(
    Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)),
  );
}
