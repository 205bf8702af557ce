/** What tasks take up. A task's bytes are those that its appends say, so one at work may count for less. */
export interface Usage {
  readonly tasks: number;
  readonly bytes: number;
}

/** Counts what the tasks of an owner take up. */
export interface UsageStore {
  /**
   * What a subject's tasks with an agent take up, without looking at each of them. In all tenants: a
   * caller may name as many as it likes.
   */
  loadUsage(subject: string, agent: string): Promise<Usage>;
}
