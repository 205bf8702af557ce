/** What nodes tell each other apart from wake-ups. Each is a hint like those. */
export type BusTopic =
  /** Tasks of an agent, which the message names, are free for other nodes. */
  | "abandoned"
  /** The node that the message names has to look whether it drains. */
  | "drain";

/** Something that a node hears until it stops. */
export interface BusSubscription {
  /**
   * Resolves when everything that is published from now on arrives. Whoever needs to miss nothing reads the log after
   * that. Never rejects. While the bus is cut off it resolves at once: `onLost` is called when the bus is back.
   */
  readonly ready: Promise<void>;
  /** Stopping again does nothing. */
  readonly stop: () => void;
}

/**
 * Wakes the nodes that follow a task when its log has grown. A wake-up is a hint: it may come twice or late, and a
 * node that is woken reads the log. A lost wake-up only delays that node until the next one.
 */
export interface Bus extends AsyncDisposable {
  /** Describes the bus for people: `this process`, `nats localhost:4222`. */
  readonly description: string;
  /** Whether wake-ups reach other processes, or this one alone. */
  readonly isShared: boolean;
  /** Whether wake-ups arrive at present, as far as the bus knows. While they do not, nodes poll. */
  readonly isConnected: boolean;
  /** Announces that a task's log has grown up to a sequence. Never blocks and never throws. */
  publish(taskId: string, sequence: number): void;
  /**
   * Calls `wake` asynchronously for every wake-up of a task, until the subscription is stopped. `wake` must not throw; it
   * may subscribe and stop.
   */
  subscribe(taskId: string, wake: (sequence: number) => void): BusSubscription;
  /**
   * Tells all nodes something in up to 1,000 characters. A longer message may reach this process alone. Never blocks and
   * never throws.
   */
  publishTopic(topic: BusTopic, message: string): void;
  /** Calls `hear` asynchronously for everything that is told under a topic. `hear` must not throw. */
  subscribeTopic(topic: BusTopic, hear: (message: string) => void): BusSubscription;
  /**
   * Calls back when wake-ups may have been lost, and again when the bus is connected after that: whoever follows tasks
   * reads their logs. Returns a function that ends it.
   */
  onLost(callback: () => void): () => void;
  /**
   * Ends all subscriptions. What was published before is sent, if that takes no longer than a moment; nothing is published
   * after it. Closing again does nothing.
   */
  close(): Promise<void>;
}
