import { A2AError, describeState, isTerminal } from "../../protocol/internal.js";
import type { Append } from "../append.js";
import type { Claim, ClaimedTask } from "../lease-store.js";
import type { LogEntry } from "../log-event.js";
import { StoreConflict } from "../store-conflict.js";
import type { Head } from "../store-conflict.js";
import type { Owner, StoredTask, TaskRecord } from "../task-record.js";
import type { ListTasksQuery, TaskPage } from "../task-store.js";
import { entriesOf, headOf, recordOf, toStoredTask } from "./stored-log.js";
import type { StoredLog } from "./stored-log.js";
import { TaskIndexes } from "./task-indexes.js";
import type { Usages } from "./usages.js";

interface TaskParties {
  readonly owner: Owner;
  readonly agent: string;
}

/** The tasks, their logs and their indexes. */
export class TaskTable {
  readonly #logs: Map<string, StoredLog> = new Map();
  readonly #indexes: TaskIndexes;

  constructor(usages: Usages) {
    this.#indexes = new TaskIndexes(usages);
  }

  /** Throws when the append has to be refused; call this before `write`. Returns the owner and agent of the task. */
  check({ taskId, create, expectedSequence, epoch, whileStates }: Append): TaskParties {
    const log = this.#logs.get(taskId);
    if (create !== undefined) {
      if (log !== undefined) {
        throw new StoreConflict(`task ${taskId} exists already`, headOf(log));
      }
      if (expectedSequence !== 0) {
        throw new StoreConflict(`task ${taskId} is new; expectedSequence has to be 0`);
      }
      return create;
    }
    if (log === undefined) throw new StoreConflict(`task ${taskId} does not exist`);
    const { record } = log;
    const head = headOf(log);
    if (expectedSequence !== undefined) {
      if (head.sequence !== expectedSequence) {
        const message = `task ${taskId} is at entry ${head.sequence}, not ${expectedSequence}`;
        throw new StoreConflict(message, head);
      }
      if (head.epoch !== epoch) {
        const message = `task ${taskId} is under epoch ${head.epoch}, not ${epoch}`;
        throw new StoreConflict(message, head);
      }
    }
    if (isTerminal(record.state)) {
      const message = `task ${taskId} is ${describeState(record.state)}; nothing can be added to it`;
      throw new A2AError("UNSUPPORTED_OPERATION", message, { details: { metadata: { taskId } } });
    }
    if (whileStates?.includes(record.state) === false) {
      throw new StoreConflict(`task ${taskId} is ${describeState(record.state)}`, head);
    }
    return record;
  }

  /** Where a task's log stands. */
  headOf(taskId: string): Head | undefined {
    const log = this.#logs.get(taskId);
    return log && headOf(log);
  }

  /** Writes an append that `check` has accepted. Returns where the log stands then. */
  write(append: Append, at: number): Head {
    const known = this.#logs.get(append.taskId);
    const log = known ?? {
      record: newRecord(append),
      events: [],
      times: [],
      checkpoint: undefined,
      summary: undefined,
    };
    for (const event of append.events) {
      log.events.push(event);
      log.times.push(at);
    }
    const sequence = log.events.length;
    if (append.checkpoint !== undefined) log.checkpoint = { sequence, task: append.checkpoint };
    if (append.summary !== undefined) log.summary = { sequence, ...append.summary };
    const { status, bytes = log.record.bytes } = append;
    const moved = known === undefined || status !== undefined || bytes !== log.record.bytes;
    if (known !== undefined && moved) this.#indexes.remove(log);
    if (moved || append.node !== undefined) log.record = nextRecord(log.record, append, sequence);
    if (moved) this.#indexes.add(log);
    this.#logs.set(append.taskId, log);
    return headOf(log);
  }

  claim({ taskId, node, epoch, sequence }: Claim): number | undefined {
    const log = this.#logs.get(taskId);
    if (log === undefined || log.record.epoch !== epoch) return undefined;
    if (sequence !== undefined && log.events.length !== sequence) return undefined;
    if (isTerminal(log.record.state)) return undefined;
    log.record = Object.freeze({ ...log.record, node, epoch: epoch + 1 });
    return log.record.epoch;
  }

  read(taskId: string, after: number, limit: number): readonly LogEntry[] {
    const log = this.#logs.get(taskId);
    return log === undefined ? [] : entriesOf(log, after, limit);
  }

  load(taskId: string, maxBytes?: number): StoredTask | undefined {
    const log = this.#logs.get(taskId);
    return log && toStoredTask(log, maxBytes);
  }

  loadRecord(taskId: string): TaskRecord | undefined {
    const log = this.#logs.get(taskId);
    return log && recordOf(log);
  }

  list(query: ListTasksQuery): TaskPage {
    return this.#indexes.list(query);
  }

  agents(): string[] {
    return this.#indexes.agents();
  }

  /** Claims active tasks of an agent that are under the lease of no live node, nor under this one. */
  claimAbandoned(
    {
      agent,
      node,
      limit,
      except,
    }: { agent: string; node: string; limit: number; except: ReadonlySet<string> },
    isSpared: (node: string) => boolean,
  ): ClaimedTask[] {
    const claimed: ClaimedTask[] = [];
    for (const log of this.#indexes.active(agent)) {
      if (claimed.length >= limit) break;
      const { taskId, epoch: before, node: holder, owner } = log.record;
      if (holder === node || (holder !== undefined && isSpared(holder))) continue;
      if (except.has(owner.subject)) continue;
      const epoch = before + 1;
      log.record = Object.freeze({ ...log.record, node, epoch });
      const sequence = log.events.length;
      claimed.push({
        taskId,
        epoch,
        sequence,
        ...(holder === undefined && { isHandedOver: true }),
      });
    }
    return claimed;
  }

  listHeld(agent: string, node: string): string[] {
    const held = this.#indexes.active(agent).filter(({ record }) => record.node === node);
    return held.map(({ record }) => record.taskId);
  }

  /** Returns the ids of the deleted tasks. */
  deleteEnded(before: number, limit: number): string[] {
    const logs = this.#indexes.endedBefore(before, limit);
    for (const log of logs) {
      this.#indexes.remove(log);
      this.#logs.delete(log.record.taskId);
    }
    return logs.map(({ record }) => record.taskId);
  }
}

function newRecord({ taskId, create, status, epoch, bytes = 0 }: Append): TaskRecord {
  if (create === undefined || status === undefined) {
    throw new A2AError("INTERNAL", `task ${taskId} is new; its append needs create and status`);
  }
  const { owner, agent, contextId, createdIn } = create;
  return {
    taskId,
    owner: Object.freeze({ tenant: owner.tenant, subject: owner.subject }),
    agent,
    contextId,
    createdIn,
    state: status.state,
    statusAt: status.at,
    sequence: 0,
    bytes,
    epoch,
  };
}

function nextRecord(record: TaskRecord, append: Append, sequence: number): TaskRecord {
  const { node: before, ...members } = record;
  const { status, node, bytes } = append;
  const after = node === undefined ? before : (node ?? undefined);
  return Object.freeze({
    ...members,
    sequence,
    ...(bytes !== undefined && { bytes }),
    ...(status !== undefined && { state: status.state, statusAt: status.at }),
    ...(after !== undefined && { node: after }),
  });
}
