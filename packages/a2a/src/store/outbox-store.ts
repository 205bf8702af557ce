/** The queue of a push configuration: the notifications that wait for it. */
export interface PushQueue {
  readonly taskId: string;
  readonly configId: string;
}

/** One notification: of the log entry with this sequence, to this configuration. */
export interface DeliveryKey extends PushQueue {
  readonly sequence: number;
}

export interface QueuedDelivery {
  readonly sequence: number;
  /** When the event was written, or the delivery was revived. */
  readonly queuedAt: number;
}

/** A node's request for queues that are due. */
export interface QueueClaim {
  /** Only queues of this agent's tasks are claimed. */
  readonly agent: string;
  readonly node: string;
  readonly now: number;
  /** When the claim ends. */
  readonly until: number;
  /** How many queues are claimed at most. */
  readonly limit: number;
  /** How many deliveries of each queue are returned at most. */
  readonly ahead: number;
  /** How many queues of one host are claimed at most, including those in `taken`. */
  readonly perHost: number;
  readonly taken: ReadonlyMap<string, number>;
}

/** A queue that a node has claimed, with its next notifications. */
export interface ClaimedQueue extends PushQueue {
  readonly host: string;
  /**
   * How often the first delivery was attempted before. Every claim counts as an attempt, so that a delivery that
   * kills its node is not tried for ever.
   */
  readonly attempts: number;
  /** The first deliveries of the queue by ascending sequence; at least one. */
  readonly deliveries: readonly QueuedDelivery[];
}

/** The outcome of deliveries of a queue. Deliveries that are not in the queue are ignored. */
export interface QueueSettlement extends PushQueue {
  /** Deleted, even if they were buried meanwhile. */
  readonly arrived?: readonly number[];
  /** Given up. They do not hold up the deliveries after them. */
  readonly buried?: { readonly sequences: readonly number[]; readonly reason: string };
  /** Ends the node's claim, if it still has it; the rest is due at `dueAt`. Absent: the claim goes on. */
  readonly release?: { readonly node: string; readonly dueAt: number };
}

/** A notification that was given up. */
export interface BuriedDelivery extends DeliveryKey {
  readonly reason: string;
}

/**
 * Push notifications to be sent. They are written in the same append as their events. A node claims a whole queue
 * and sends its deliveries one after the other, so that they arrive in order. A queue that is claimed or
 * postponed is not due. Queues do not wait for each other.
 */
export interface OutboxStore {
  /**
   * Claims due queues for a node, those due longest first. When the claim ends at `until`, the queues are due
   * again.
   */
  claimQueues(claim: QueueClaim): Promise<readonly ClaimedQueue[]>;
  settleQueue(settlement: QueueSettlement): Promise<void>;
  /** When the next queue of an agent is due, including claimed queues. */
  nextDeliveryAt(agent: string): Promise<number | undefined>;
  /** Lists deliveries that were given up in a fixed order, after a given one. */
  listBuried(query: {
    readonly agent: string;
    readonly after?: DeliveryKey;
    readonly limit: number;
  }): Promise<readonly BuriedDelivery[]>;
  /**
   * Queues a buried delivery again. Unless its queue is claimed, the queue is due at once and its attempts are
   * reset. Returns false when the delivery was not buried.
   */
  reviveDelivery(key: DeliveryKey, now: number): Promise<boolean>;
  /** Counts row by row, which is slow: for operators only. */
  countDeliveries(agent: string): Promise<{ readonly waiting: number; readonly buried: number }>;
}
