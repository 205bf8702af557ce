/** A node's attempt to get the right to write to a task. */
export interface Claim {
  readonly taskId: string;
  readonly node: string;
  /** The epoch that the node knows. The claim fails when the task has another. */
  readonly epoch: number;
  /** The last entry that the node knows. The claim fails when the log has grown. Absent: any length will do. */
  readonly sequence?: number;
}

/** A task that a node has taken over, under its new epoch. */
export interface ClaimedTask {
  readonly taskId: string;
  readonly epoch: number;
  /** The last entry of its log at that moment. */
  readonly sequence: number;
  /** It was under no node: the one before has handed it over. */
  readonly isHandedOver?: true;
}

/** What a claim of abandoned tasks leaves alone. */
export interface ClaimTerms {
  /**
   * A store that waits for its server claims nothing once this time has passed: in an outage the leases of all nodes
   * end, and whoever asked before it must not take everything when it is over.
   */
  readonly withinMs?: number;
  /** Leaves the tasks of these callers, in whichever tenant, to nodes that have room for them. */
  readonly exceptSubjects?: readonly string[];
  /**
   * Claims only what was given up: tasks under no node, or under one that has released its lease or was forgotten. A node
   * whose lease has run out may be back.
   */
  readonly onlyReleased?: boolean;
}

/** What a node tells the operators of a cluster about itself. */
export interface NodeInfo {
  readonly agent: string;
  /** The version of the agent's code, as its author names it. */
  readonly revision: string;
  /** The version of Parley. */
  readonly version: string;
  /** Where the node serves, if anywhere. */
  readonly address?: string;
  /** True while its wake-ups reach nobody: it is cut off from the bus, or has none. Absent: they are heard. */
  readonly isUnheard?: boolean;
}

/** A node that has, or had a moment ago, a lease. */
export interface NodeRecord extends NodeInfo {
  readonly node: string;
  /**
   * The smallest number, from 0, that was free when the node appeared. Stores spread what nodes count by it. Nodes with a
   * lease have different ones.
   */
  readonly slot: number;
  /** How long its lease lasts from the moment of this answer, in the store's time; 0 when it is over. */
  readonly leaseLeftMs: number;
  /** An operator has asked the node to hand over its tasks and to stop. */
  readonly isDraining: boolean;
}

/** What a node learns when it renews its lease. */
export interface Renewal {
  /** The store's time, which all nodes share. */
  readonly now: number;
  /** How many nodes of the same agent have a lease, including this one. */
  readonly nodes: number;
  /** How many of those are unheard. */
  readonly unheard: number;
  readonly isDraining: boolean;
}

/**
 * Nodes hold leases: a task names the node that works on it, and a node's lease lasts as long as the node renews
 * it. So renewing costs one row, however many tasks the node works on. A lease is over at the time it ends. Leases are
 * durations in the store's time, so that no clock of a node matters.
 */
export interface LeaseStore {
  /** Begins or renews a node's lease: it ends so many milliseconds after the store has read this. */
  renewNode(node: string, forMs: number, info: NodeInfo): Promise<Renewal>;
  /** Ends a node's lease. Its tasks are abandoned at once. */
  releaseNode(node: string): Promise<void>;
  /** Whether a node has a lease that is not over. */
  isLive(node: string): Promise<boolean>;
  /** Nodes by slot. A node whose lease has been over for a day may be missing. */
  listNodes(): Promise<readonly NodeRecord[]>;
  /**
   * Marks a node for draining, or takes the mark back. A released node loses the mark. Returns false when there is no such
   * node.
   */
  setDraining(node: string, isDraining: boolean): Promise<boolean>;
  /**
   * Raises the task's epoch by one and puts the task under the node's lease, whether or not another node holds it.
   * Returns the new epoch; `undefined`, without effect, when the task is unknown, has ended, or is not at the
   * claim's epoch or sequence.
   */
  claim(claim: Claim): Promise<number | undefined>;
  /**
   * Claims an agent's active tasks (submitted or working) that are not under the lease of a live node, nor under this
   * node: at most `limit`, in no particular order. Nodes that ask at the same time get different tasks. A task that waits
   * for its caller is never abandoned, whatever its node.
   */
  claimAbandoned(
    agent: string,
    node: string,
    limit: number,
    terms?: ClaimTerms,
  ): Promise<readonly ClaimedTask[]>;
  /**
   * Ids of an agent's active tasks (submitted or working) that name this node, in no particular order. Nodes ask
   * often, and after every claim whose answer was lost, so tasks that wait for their callers must cost nothing here,
   * however many there are.
   */
  listHeld(agent: string, node: string): Promise<readonly string[]>;
}
