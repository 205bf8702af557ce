/** A node's attempt to get the right to write to a task. */
export interface Claim {
  readonly taskId: string;
  readonly node: string;
  /** The epoch that the node knows. The claim fails when the task has another. */
  readonly epoch: number;
  /** The last entry that the node knows. The claim fails when the log has grown. Absent: any length will do. */
  readonly sequence?: number;
}

/**
 * Nodes hold leases: a task names the node that works on it, and a node's lease lasts as long as the node renews
 * it. So renewing costs one row, however many tasks the node works on. A lease is over at the time it ends.
 */
export interface LeaseStore {
  /** Begins or renews a node's lease until a time. */
  renewNode(node: string, until: number): Promise<void>;
  /** Ends a node's lease. Its tasks are abandoned at once. */
  releaseNode(node: string): Promise<void>;
  /**
   * Raises the task's epoch by one and puts the task under the node's lease, whether or not another node holds it.
   * Returns the new epoch; `undefined`, without effect, when the task is unknown, has ended, or is not at the
   * claim's epoch or sequence.
   */
  claim(claim: Claim): Promise<number | undefined>;
  /**
   * Ids of an agent's active tasks (submitted or working) that are not under the lease of a live node: at most
   * `limit`, in no particular order. A task that waits for its caller is never abandoned, whatever its node.
   */
  findAbandoned(agent: string, now: number, limit: number): Promise<readonly string[]>;
  /**
   * Ids of an agent's active tasks (submitted or working) that name this node, in no particular order. Nodes ask
   * often, so tasks that wait for their callers must cost nothing here, however many there are.
   */
  listHeld(agent: string, node: string): Promise<readonly string[]>;
  /** When a node's lease ends; `undefined` for a node that has none. */
  leaseOf(node: string): Promise<number | undefined>;
}
