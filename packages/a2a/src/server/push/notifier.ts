/** Told of notifications that were queued, so that they leave at once. */
export interface Notifier {
  /** The moment from which notifications of an event are due. */
  now(): number;
  /** Some were queued. */
  wake(): void;
}
