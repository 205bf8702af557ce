/** A change of the compiled runtime. `from` has to be in the file exactly once. */
export interface Change {
  /** Below `dist`. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** A runtime that breaks a promise. Where two places keep the promise, both are changed. */
export interface RuntimeMutant {
  readonly changes: readonly Change[];
  /** The bus does not carry anything. */
  readonly isBusSilent?: boolean;
}

/** Runtimes that break one promise each. */
export const runtimeMutants: Readonly<Record<string, RuntimeMutant>> = {
  "tasks whose claim was answered to nobody are not looked for": {
    changes: [
      { file: "server/upkeep/find-strays.js", from: "orphans.add(taskId);", to: "void 0;" },
    ],
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
  "neither wake-ups nor polls": {
    changes: [
      {
        file: "server/log/live-tasks.js",
        from: "if (isWoken && kept.beatsLeft > 0)",
        to: "if (true)",
      },
    ],
    isBusSilent: true,
  },
};
