import { foldTask } from "../../protocol/internal.js";
import type { StreamResponse, TaskEvent, TraceContext } from "../../protocol/internal.js";
import type { ClaimedQueue, LogEntry, Store, TaskRecord } from "../../store/internal.js";
import type { Cryptography } from "../cryptography.js";
import { traceOfCall } from "../journal/journal.js";
import { isTaskEvent, toLiveEntry } from "../log/live-entry.js";
import { publicTaskId } from "../log/task-identity.js";
import type { PushNotification } from "./push-sender.js";
import { taskAsOf } from "./task-as-of.js";

/** A task as it was created is the fold of its first two entries: `task-created` and its first message. */
const createdAt = 2;

/** The first run is in the entry after those. */
const begunAt = 3;

/** Reads the notifications of a claimed queue from the store, one at a time. */
export class QueueReader {
  readonly #store: Store;
  readonly #queue: ClaimedQueue;
  readonly #record: TaskRecord;
  readonly #idPrefix: string;

  private constructor(
    store: Store,
    queue: ClaimedQueue,
    { record, idPrefix }: { readonly record: TaskRecord; readonly idPrefix: string },
  ) {
    this.#store = store;
    this.#queue = queue;
    this.#record = record;
    this.#idPrefix = idPrefix;
  }

  /** `undefined` when the task has been deleted. */
  static async open(
    { store, crypto }: { readonly store: Store; readonly crypto: Cryptography },
    queue: ClaimedQueue,
  ): Promise<QueueReader | undefined> {
    const record = await store.loadRecord(queue.taskId);
    if (record === undefined) return undefined;
    return new QueueReader(store, queue, { record, idPrefix: await idPrefixOf(queue, crypto) });
  }

  /** `undefined` when the configuration or the task has been deleted. */
  async read(sequence: number, attempt: number): Promise<PushNotification | undefined> {
    const { taskId, configId } = this.#queue;
    const [config, entries] = await Promise.all([
      this.#store.loadPushConfig(taskId, configId),
      this.#store.read(taskId, sequence - 1, sequence === 1 ? createdAt : 1),
    ]);
    const event = this.#eventOf(entries);
    if (config === undefined || event === undefined) return undefined;
    return {
      id: `${this.#idPrefix}/${sequence}`,
      config: config.config,
      dialect: config.dialect,
      event,
      sequence,
      attempt,
      task: async () => event.task ?? taskAsOf(this.#store, taskId, sequence),
    };
  }

  /** The span of the run that began the task, or else the trace of its call. */
  async begunBy(): Promise<TraceContext | undefined> {
    for (const { event } of await this.#store.read(this.#queue.taskId, 0, begunAt)) {
      if (event.kind === "run-started") return event.trace ?? traceOfCall(event.call);
    }
    return undefined;
  }

  #eventOf(entries: readonly LogEntry[]): StreamResponse | undefined {
    const [entry] = entries;
    if (entry === undefined) return undefined;
    if (entry.event.kind === "task-created") {
      const events = entries.flatMap(({ event }): TaskEvent[] =>
        isTaskEvent(event) ? [event] : [],
      );
      return { task: foldTask(events) };
    }
    const { taskId, contextId } = this.#record;
    return toLiveEntry(
      entry.event,
      entry.sequence,
      { publicId: publicTaskId(taskId), contextId },
      false,
    ).shown?.response;
  }
}

/** A prefix per task and configuration. Hashed where the key of the task names its owner. */
async function idPrefixOf(
  { taskId, configId }: ClaimedQueue,
  crypto: Cryptography,
): Promise<string> {
  const text = [taskId, configId].map(encodeURIComponent).join("/");
  if (publicTaskId(taskId) === taskId) return text;
  return crypto.digest(text);
}
