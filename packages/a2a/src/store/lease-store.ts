/** An attempt to take over the writing of a task. */
export interface Claim {
  readonly taskId: string;
  readonly node: string;
  /** The epoch that is known; the claim fails when it has changed. */
  readonly epoch: number;
  /** The last entry that is known; the claim fails when the log has grown. Absent: it may have. */
  readonly sequence?: number;
}

/**
 * Leases are held by nodes: a task names the node that works on it, and a node's lease lives as long as
 * the node keeps renewing it. So renewing costs one row, however many tasks run. A lease that ends at a
 * moment is over at that moment.
 */
export interface LeaseStore {
  /** Announces a node, or keeps it alive, until a moment. */
  renewNode(node: string, until: number): Promise<void>;
  /** Ends a node's lease; the tasks it still held are abandoned at once. */
  releaseNode(node: string): Promise<void>;
  /**
   * Raises the task's epoch by one and puts it under the node, whether or not another node still holds
   * it. Answers the new epoch; `undefined`, without effect, when the task is unknown, has ended, or is
   * not at the claim's epoch or sequence.
   */
  claim(claim: Claim): Promise<number | undefined>;
  /**
   * The ids of tasks of an agent that should be worked on (submitted or working) while no live node does,
   * at most `limit`, in no particular order.
   */
  findAbandoned(agent: string, now: number, limit: number): Promise<readonly string[]>;
}
