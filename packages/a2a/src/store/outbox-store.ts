/** What waits for one push configuration is one queue. */
export interface PushQueue {
  readonly taskId: string;
  readonly configId: string;
}

/** One notification: the entry with this sequence, to this configuration. */
export interface DeliveryKey extends PushQueue {
  readonly sequence: number;
}

export interface QueuedDelivery {
  readonly sequence: number;
  /** When its event was written, or when it was revived. */
  readonly queuedAt: number;
}

/** A node's request for queues that are due. */
export interface QueueClaim {
  /** Whose tasks' queues are claimed. */
  readonly agent: string;
  readonly node: string;
  readonly now: number;
  readonly until: number;
  /** The most queues. */
  readonly limit: number;
  /** The most deliveries of each queue. */
  readonly ahead: number;
  /** The most queues of one host, together with those the node counts as taken already. */
  readonly perHost: number;
  readonly taken: ReadonlyMap<string, number>;
}

/** A queue that a node has claimed, with its next notifications. */
export interface ClaimedQueue extends PushQueue {
  readonly host: string;
  /**
   * How often the first delivery was attempted before this. Every claim is an attempt, so that a delivery
   * which takes its node down is not tried for ever.
   */
  readonly attempts: number;
  /** The first ones, by ascending sequence; at least one. */
  readonly deliveries: readonly QueuedDelivery[];
}

/** What became of deliveries of a queue. Those that are not there are passed over. */
export interface QueueSettlement extends PushQueue {
  /** They are gone, even if they were buried meanwhile. */
  readonly arrived?: readonly number[];
  /** They are given up, and do not hold up what follows. */
  readonly buried?: { readonly sequences: readonly number[]; readonly reason: string };
  /** Ends the node's claim, if it still has one: the rest is due at a moment. Absent: it goes on. */
  readonly release?: { readonly node: string; readonly dueAt: number };
}

/** A notification that was given up. */
export interface BuriedDelivery extends DeliveryKey {
  readonly reason: string;
}

/**
 * Notifications to be sent, written together with the events they tell of. A queue is claimed as a whole,
 * and whoever holds it sends its deliveries one after the other, so that they arrive in order; a queue
 * that is claimed or postponed is not due, and queues do not wait for each other.
 */
export interface OutboxStore {
  /**
   * Takes queues that are due, those due longest first, for this node alone until a moment; from then on
   * they are due again.
   */
  claimQueues(claim: QueueClaim): Promise<readonly ClaimedQueue[]>;
  settleQueue(settlement: QueueSettlement): Promise<void>;
  /** When the next queue of an agent is due, claimed ones included. */
  nextDeliveryAt(agent: string): Promise<number | undefined>;
  /** Deliveries that were given up, in an order that is always the same, after one of them. */
  listBuried(query: {
    readonly agent: string;
    readonly after?: DeliveryKey;
    readonly limit: number;
  }): Promise<readonly BuriedDelivery[]>;
  /**
   * Queues a buried delivery once more, and makes its queue due at once, as if it had never been tried,
   * unless it is claimed. Answers false when it was not buried.
   */
  reviveDelivery(key: DeliveryKey, now: number): Promise<boolean>;
  /** Counts one by one: for operators. */
  countDeliveries(agent: string): Promise<{ readonly waiting: number; readonly buried: number }>;
}
