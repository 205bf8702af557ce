import { A2AError } from "../../../protocol/internal.js";
import type { TaskState } from "../../../protocol/internal.js";
import { Coverage } from "./coverage.js";
import type { Choices } from "../engine/choices.js";
import type { FaultName, Faults } from "../engine/faults.js";
import { Scheduler } from "../engine/scheduler.js";
import { Trace } from "../engine/trace.js";
import { Recorder } from "./recorder.js";

/** What is known of tasks without asking their store. */
interface KnownTasks {
  stateOf(taskId: string): TaskState | undefined;
  /** The states of the tasks under a node. */
  statesOf(node: string): readonly TaskState[];
  /** Tasks of which a failover has lost something. */
  readonly lost: ReadonlySet<string>;
  /** A task that was deleted because it had ended long ago. */
  deleted(taskId: string): unknown;
}

interface WorldParts {
  readonly seed: number;
  readonly choices: Choices;
  readonly faults: Faults;
  readonly keepsTrace: boolean;
}

/** What everything in one run of a simulation shares. */
export class World {
  readonly seed: number;
  readonly choices: Choices;
  readonly faults: Faults;
  readonly scheduler: Scheduler = new Scheduler();
  readonly trace: Trace;
  readonly coverage: Coverage = new Coverage();
  readonly operations: Coverage = new Coverage();
  readonly recorder: Recorder = new Recorder(() => this.nowMs);
  /** The time of the store when the run begins. */
  readonly startAt: number = Date.UTC(2026, 0, 1);
  /** Things that must not be, apart from those that the history shows. */
  readonly problems: string[] = [];
  /** How many requests the store got, and how many wake-ups were sent. */
  statements = 0;
  messages = 0;
  /** Requests to the store fail until then. */
  outageUntil = 0;
  /** The store is slow until then. */
  slowUntil = 0;
  /** How often the store has failed over and lost something. */
  failovers = 0;
  tasks: KnownTasks | undefined;
  /** What a request to the store fails with. */
  readonly silence: A2AError = new A2AError("UNAVAILABLE", "the store does not answer");

  constructor({ seed, choices, faults, keepsTrace }: WorldParts) {
    this.seed = seed;
    this.choices = choices;
    this.faults = faults;
    this.trace = new Trace(keepsTrace);
  }

  /** Milliseconds since the run began, which no clock of a node changes. */
  get nowMs(): number {
    return this.scheduler.now / 1000;
  }

  log(line: string): void {
    this.trace.add(`${this.scheduler.now} ${line}`);
  }

  problem(message: string): void {
    this.log(`PROBLEM ${message}`);
    this.problems.push(message);
  }

  /** How long something takes on its way: from 0.2 to 2 ms. */
  latency(key: string): number {
    return 200 + 250 * this.choices.choose(key, 8);
  }

  /** Something was asked of a task, or done to it. */
  met(operation: string, taskId: string | undefined): void {
    const state = taskId === undefined ? undefined : this.tasks?.stateOf(taskId);
    this.operations.add(operation, state ?? "none");
  }

  /** Whether a task that was there may be there no more. */
  mayBeMissing(taskId: string): boolean {
    return this.hasLost(taskId) || this.tasks?.deleted(taskId) !== undefined;
  }

  /** Whether a failover has lost something of a task. */
  hasLost(taskId: string): boolean {
    return this.tasks?.lost.has(taskId) ?? false;
  }

  /** A fault struck a request about a task. */
  taskFaulted(fault: FaultName, taskId: string | undefined): void {
    const state = taskId === undefined ? undefined : this.tasks?.stateOf(taskId);
    this.coverage.add(fault, state ?? "none");
    this.recorder.fault(fault);
  }

  /** A fault struck a node with everything that it works on. */
  nodeFaulted(
    fault: FaultName,
    { name, nodeId }: { readonly name: string; readonly nodeId: string },
    endsInMs = 0,
  ): void {
    const states = new Set<TaskState>(this.tasks?.statesOf(nodeId));
    if (states.size === 0) this.coverage.add(fault, "none");
    for (const state of states) this.coverage.add(fault, state);
    this.recorder.fault(fault, endsInMs, name);
    this.log(`${name} ${fault} ${endsInMs}`);
  }
}
