import { isTerminal, taskStates } from "../../protocol/internal.js";
import type {
  ArtifactUpdated,
  MessageAdded,
  StatusChanged,
  TaskState,
} from "../../protocol/internal.js";
import type {
  Append,
  Appended,
  LogEntry,
  LogEvent,
  NodeInfo,
  Owner,
  Scope,
  Store,
  TaskRecord,
} from "../../store/internal.js";

export const ada: Owner = { tenant: "acme", subject: "ada" };
export const bob: Owner = { tenant: "acme", subject: "bob" };
export const agent = "travel";

/** What an owner has with an agent. */
export function scopeOf({ tenant, subject }: Owner, its: string = agent): Scope {
  return { tenant, subject, agent: its };
}

export const nodeInfo: NodeInfo = { agent, revision: "1.0.0", version: "0.0.0" };

/** A lease that does not end while a case runs, unless the case moves the time. */
export const leaseMs = 60_000;

/** A limit that is larger than any result in these cases. */
export const all = 10_000;

export const terminalStates: readonly TaskState[] = taskStates.filter(isTerminal);

/** The states in which a task can be stored. */
export const storedStates: readonly TaskState[] = taskStates.filter(
  (state) => state !== "TASK_STATE_UNSPECIFIED",
);

/** Ids that stores may get wrong: quotes, wildcards, other scripts, the longest possible ones. */
export const strangeIds: readonly string[] = [
  `it's "quoted" \`id\``,
  "'; DROP TABLE tasks; --",
  "100%_done?*[a-z]\\",
  " inner and outer spaces ",
  "żółć-任务-🧳-e\u0301",
  "x".repeat(256),
  "任".repeat(256),
  encodeURIComponent("任".repeat(256)),
  "__proto__",
  "NULL",
  "0",
];

export interface SampleTask {
  readonly owner?: Owner;
  readonly agent?: string;
  readonly contextId?: string;
  readonly state?: TaskState;
  readonly at?: number;
}

/** The append that creates a task. By default the task has been working since 1000. */
export function creation(
  taskId: string,
  sample: SampleTask = {},
  more: Partial<Append> = {},
): Append {
  const state = sample.state ?? "TASK_STATE_WORKING";
  const contextId = sample.contextId ?? "context-1";
  return {
    taskId,
    expectedSequence: 0,
    epoch: 1,
    events: [{ kind: "task-created", taskId, contextId, status: { state } }],
    create: {
      owner: sample.owner ?? ada,
      agent: sample.agent ?? agent,
      contextId,
      createdIn: "1.0",
    },
    status: { state, at: sample.at ?? 1000 },
    ...more,
  };
}

/** Creates a task with one entry under epoch 1. */
export async function createTask(
  store: Store,
  taskId: string,
  sample: SampleTask = {},
  more: Partial<Append> = {},
): Promise<void> {
  await store.append(creation(taskId, sample, more));
}

/** Appends at the log's current sequence and epoch. Returns what the store returns. */
export async function appendNext(
  store: Store,
  taskId: string,
  more: Partial<Append> = {},
): Promise<Appended> {
  const { sequence, epoch } = await recordOf(store, taskId);
  return store.append({ taskId, expectedSequence: sequence, epoch, events: [chunk()], ...more });
}

/** Appends at the end of the log, wherever that is. */
export async function appendAtEnd(
  store: Store,
  taskId: string,
  more: Partial<Append> = {},
): Promise<Appended> {
  return store.append({ taskId, epoch: 0, events: [chunk()], ...more });
}

export async function changeState(
  store: Store,
  taskId: string,
  state: TaskState,
  at: number,
): Promise<void> {
  await appendNext(store, taskId, { events: [statusChanged(state)], status: { state, at } });
}

export async function recordOf(store: Store, taskId: string): Promise<TaskRecord> {
  const record = await store.loadRecord(taskId);
  if (record === undefined) throw new Error(`task ${taskId} should exist`);
  return record;
}

export function chunk(text = "…"): ArtifactUpdated {
  return {
    kind: "artifact-updated",
    artifact: { artifactId: "answer", parts: [{ text }] },
    append: true,
  };
}

export function statusChanged(state: TaskState): StatusChanged {
  return { kind: "status-changed", status: { state } };
}

export function messageAdded(messageId: string, text = "Tokyo in May"): MessageAdded {
  return {
    kind: "message-added",
    message: { messageId, role: "ROLE_USER", parts: [{ text }] },
  };
}

/** An entry without its time, which only the store knows. */
type Place = Omit<LogEntry, "at">;

export function entries(first: number, events: readonly LogEvent[]): Place[] {
  return events.map((event, index) => ({ sequence: first + index, event }));
}

export function withoutTimes(log: readonly LogEntry[] | undefined): Place[] | undefined {
  return log?.map(({ sequence, event }) => ({ sequence, event }));
}

/** The numbers from 0 up to, but without, `count`. */
export function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index);
}
