import type { Owner } from "./task-record.js";

/** What tasks take up. A task's bytes are those that its appends say, so one at work may count for less. */
export interface Usage {
  readonly tasks: number;
  readonly bytes: number;
}

export interface UsageStore {
  /** What an owner's tasks with an agent take up, without looking at each of them. */
  loadUsage(owner: Owner, agent: string): Promise<Usage>;
}
