/** How much tasks, kept replies and push configurations take up. */
export interface Usage {
  /** Tasks and kept replies. */
  readonly tasks: number;
  /**
   * A task counts with the bytes of its last append that had any, so a working task may hold more. A kept reply and a
   * push configuration count with the characters of their JSON, as they are stored.
   */
  readonly bytes: number;
}

/** Counts what an owner keeps. */
export interface UsageStore {
  /**
   * The usage of a subject with an agent, without reading each task. Over all tenants, because a caller can name any
   * number of tenants. A reply counts until its key has been deleted.
   */
  loadUsage(subject: string, agent: string): Promise<Usage>;
}
