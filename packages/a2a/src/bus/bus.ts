/**
 * Wakes those who watch a task when its log has grown, on this node or another. A wake-up is a hint: it
 * may come twice, or late; whoever is woken reads the log. Losing one only delays until the next.
 */
export interface Bus extends AsyncDisposable {
  /** Says that a task's log has grown up to a sequence. Never blocks and never throws. */
  publish(taskId: string, sequence: number): void;
  /**
   * Calls back, asynchronously, for every wake-up of a task until the returned function is called. `wake`
   * must not throw; it may subscribe and stop.
   */
  subscribe(taskId: string, wake: (sequence: number) => void): () => void;
  /** From then on nobody is woken, and nothing is published. Closing again does nothing. */
  close(): Promise<void>;
}
