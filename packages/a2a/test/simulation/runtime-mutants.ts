import type { FaultName } from "@parley/a2a/testing";

/** A change of the compiled library. `from` has to be in the file exactly once. */
export interface Change {
  /** Below `dist`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A runtime that breaks a promise. Where two places keep the promise, both are changed. */
export interface RuntimeMutant {
  readonly changes: readonly Change[];
  /**
   * What else is changed, so that the promise depends on what `changes` breaks: other places that keep it, and how the
   * simulation strikes. With these alone no seed may fail.
   */
  readonly given?: readonly Change[];
  /** Default: all. */
  readonly faults?: readonly FaultName[];
  /** The bus does not carry anything. */
  readonly isBusSilent?: boolean;
  /** Within how many seeds it is caught. Default: 20. */
  readonly seeds?: number;
}

const noStrays: Change = {
  file: "server/upkeep/strays.js",
  from: "orphans.add(taskId);",
  to: "void 0;",
};
const noPolls: Change = {
  file: "server/log/live-tasks.js",
  from: "if (isWoken && kept.beatsLeft > 0)",
  to: "if (true)",
};

/** Runtimes that break one promise each. */
export const runtimeMutants: Readonly<Record<string, RuntimeMutant>> = {
  "tasks whose claim was answered to nobody are not looked for": { changes: [noStrays] },
  "a cancel forgets a task when the answer to its claim is lost": {
    given: [
      noStrays,
      // Nothing but answers to single claims is lost, and of those every second; every second caller cancels.
      {
        file: "testing/simulation/cluster/simulated-store.js",
        from: 'faults.hits("lost", key)',
        to: 'this.#method === "claim" && !faults.isCalm && choices.chance(key, 2)',
      },
      {
        file: "testing/simulation/workload/job.js",
        from: "choices.chance(`${this.name}/cancels`, 8)",
        to: "choices.chance(`${this.name}/cancels`, 2)",
      },
      // Handlers wait on their nodes: who is told to go on elsewhere is found as a stray.
      {
        file: "testing/simulation/open-cluster.js",
        from: 'choices.pick("settings/suspendForMs", [12_000, 1500])',
        to: "1_000_000",
      },
    ],
    changes: [
      {
        file: "server/operations/cancel-task.js",
        from: "await claimTask(environment,",
        to: "await claimTask({ ...environment, orphans: new Set() },",
      },
    ],
    faults: ["lost"],
    seeds: 60,
  },
  "nothing is read again when a node has its lease again": {
    given: [
      noPolls,
      // A node is cut off for longer than its lease, each time.
      {
        file: "testing/simulation/cluster/nemesis.js",
        from: '(1 + choices.choose("nemesis/length", 16))',
        to: '(9 + choices.choose("nemesis/length", 8))',
      },
    ],
    changes: [
      { file: "server/upkeep/maintenance.js", from: "regained: readAll,", to: "regained() {}," },
    ],
    faults: ["cut"],
  },
  "a log that went backwards is not noticed": {
    given: [
      // Whoever has seen entries that are lost learns of the end by a log that grows beyond them. A run that is not begun again
      // adds one entry and ends, so that the log stays shorter.
      {
        file: "testing/simulation/open-cluster.js",
        from: '!choices.chance("plain", 4)',
        to: "false",
      },
      // Failovers lose more than the last moment and are over before the work is, and every second task has a watcher elsewhere.
      {
        file: "testing/simulation/cluster/nemesis.js",
        from: 'world.choices.choose("nemesis/lost", 12)',
        to: '(8 + world.choices.choose("nemesis/lost", 4))',
      },
      {
        file: "testing/simulation/cluster/nemesis.js",
        from: '(1 + choices.choose("nemesis/length", 16))',
        to: '(1 + choices.choose("nemesis/length", 2))',
      },
      {
        file: "testing/simulation/workload/job.js",
        from: "choices.chance(`${this.name}/watches`, 6)",
        to: "choices.chance(`${this.name}/watches`, 2)",
      },
    ],
    changes: [
      {
        file: "server/log/read-log.js",
        from: "throw new LogWentBack(publicId);\n    return record;",
        to: "void 0;\n    return record;",
      },
      {
        file: "server/log/read-log.js",
        from: "throw new LogWentBack(publicId);\n    return stored;",
        to: "void 0;\n    return stored;",
      },
      {
        file: "server/log/live-task.js",
        from: "throw new LogWentBack(this.identity.publicId);",
        to: "void 0;",
      },
    ],
    faults: ["failover"],
    seeds: 40,
  },
  "a task that is gone is not noticed": {
    changes: [
      {
        file: "server/log/live-task.js",
        from: "return error instanceof LogWentBack || error instanceof TaskGone;",
        to: "return error instanceof LogWentBack;",
      },
    ],
    faults: ["failover"],
  },
  "a run that lost its task goes on writing": {
    changes: [
      {
        file: "server/log/batch.js",
        from: "if ((write.epoch ?? replica.epoch) !== replica.epoch)",
        to: "if (false)",
      },
      {
        file: "server/run/writer/task-writer.js",
        from: "this.#observer.lost(reason, isDropped);",
        to: "this.#isLost = false;",
      },
    ],
  },
  "what a handler that is begun again tells is told twice": {
    changes: [
      { file: "server/journal/repeat.js", from: "this.#held = this.#held.filter(", to: "void (" },
    ],
  },
  "neither wake-ups nor polls": { changes: [noPolls], isBusSilent: true },
};
