/** How much tasks take up. Bytes are those of each task's last append that had any, so a working task may hold more. */
export interface Usage {
  readonly tasks: number;
  readonly bytes: number;
}

/** Counts what the tasks of an owner take up. */
export interface UsageStore {
  /**
   * The usage of a subject's tasks with an agent, without reading each of them. Over all tenants, because a caller
   * can name any number of tenants.
   */
  loadUsage(subject: string, agent: string): Promise<Usage>;
}
