/** Hears that an append has queued push notifications, so that they are sent at once. */
export interface Notifier {
  /** The time from which notifications of an append are due. */
  now(): number;
  /** Notifications have been queued. */
  wake(): void;
}
