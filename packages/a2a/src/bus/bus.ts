/**
 * Wakes the nodes that follow a task when its log has grown. A wake-up is a hint: it may come twice or late, and a
 * node that is woken reads the log. A lost wake-up only delays that node until the next one.
 */
export interface Bus extends AsyncDisposable {
  /** Announces that a task's log has grown up to a sequence. Never blocks and never throws. */
  publish(taskId: string, sequence: number): void;
  /**
   * Calls `wake` asynchronously for every wake-up of a task, until the returned function is called. `wake` must not
   * throw; it may subscribe and unsubscribe.
   */
  subscribe(taskId: string, wake: (sequence: number) => void): () => void;
  /** Ends all subscriptions and publishes nothing more. Closing again does nothing. */
  close(): Promise<void>;
}
