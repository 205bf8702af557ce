/** An attempt to take over the writing of a task. */
export interface Claim {
  readonly taskId: string;
  readonly node: string;
  /** The epoch that is known; the claim fails when it has changed. */
  readonly epoch: number;
}

/**
 * Leases are held by nodes: a task names the node that works on it, and a node's lease lives as long as
 * the node keeps renewing it. So renewing costs one row, however many tasks run.
 */
export interface LeaseStore {
  /** Announces a node, or keeps it alive, until a moment. */
  renewNode(node: string, until: number): Promise<void>;
  /** Ends a node's lease; what it still held can be claimed at once. */
  releaseNode(node: string): Promise<void>;
  /** Raises the task's epoch and puts it under the node. Answers the new epoch, or `undefined` when it failed. */
  claim(claim: Claim): Promise<number | undefined>;
  /** Tasks of an agent that should be worked on while no live node does, by id, at most `limit`. */
  findAbandoned(agent: string, now: number, limit: number): Promise<readonly string[]>;
}
