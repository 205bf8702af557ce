import type { CallContext, Task } from "../../protocol/internal.js";
import type { StoredTask, TaskRecord } from "../../store/internal.js";
import { isCut, largeBytes } from "../log/fold-stored.js";
import type { LiveTask } from "../log/live-task.js";
import type { Snapshot } from "../log/task-replica.js";
import type { RunEnvironment } from "../run-environment.js";
import { shareOf } from "../shares/share.js";
import { taskNotFound } from "./access.js";
import type { Held, LargeReads } from "./large-reads.js";
import { withHistory } from "./task-view.js";

/** A large task, for everyone who reads it at this moment, and its encodings. */
export interface LargeSnapshot extends Snapshot {
  readonly encodings: Map<string, unknown>;
}

/** The least that a large task is taken for, should its record not know its size. */
const leastBytes = 1024 * 1024;

/** Whether a task that was found is large. */
export function isLarge(stored: StoredTask): boolean {
  return stored.record.bytes > largeBytes || isCut(stored);
}

/** Shares large tasks between those who read them at the same time: one in memory, and one encoding of each kind. */
export class LargeTasks {
  readonly #environment: RunEnvironment;
  readonly #reads: LargeReads;

  constructor(environment: RunEnvironment, reads: LargeReads) {
    this.#environment = environment;
    this.#reads = reads;
  }

  /** A stored task as of its record, or later. */
  load(record: TaskRecord, call: CallContext): Promise<Held<LargeSnapshot>> {
    return this.#reads.share(`${record.taskId} ${record.sequence}`, {
      caller: shareOf(call),
      bytes: Math.max(record.bytes, leastBytes),
      load: async () => {
        const handle = await this.#environment.liveTasks.open(record.taskId);
        if (handle === undefined) throw taskNotFound(record.taskId);
        const release = (): void => {
          handle.live.slim();
          handle.release();
        };
        try {
          const { live } = handle;
          if (live.replica.sequence < record.sequence) await live.refresh();
          return { value: { ...(await live.snapshot()), encodings: new Map() }, release };
        } catch (error) {
          release();
          throw error;
        }
      },
    });
  }

  /** What has been read of a task in memory; `undefined` if it is not large. */
  async of(
    { replica, identity }: LiveTask,
    snapshot: Snapshot,
    call: CallContext,
  ): Promise<Held<LargeSnapshot> | undefined> {
    const { bytes } = replica;
    if (bytes <= largeBytes) return undefined;
    return this.#reads.share(`${identity.taskId} ${snapshot.sequence}`, {
      caller: shareOf(call),
      bytes,
      load: async () => ({
        value: { ...snapshot, encodings: new Map() },
        release: () => undefined,
      }),
    });
  }
}

/** Answers a call with a large task, which the binding releases once it has written it. */
export function answerWith(
  { value: { task, encodings }, release }: Held<LargeSnapshot>,
  call: CallContext,
  historyLength?: number,
): Task {
  const answer = withHistory(task, historyLength);
  if (call.holdAnswer === undefined) release();
  else call.holdAnswer({ ...(answer === task && { encodings }), release });
  return answer;
}
