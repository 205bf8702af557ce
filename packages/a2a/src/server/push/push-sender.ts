import type {
  StreamResponse,
  Task,
  TaskPushNotificationConfig,
  TraceContext,
} from "../../protocol/internal.js";

/** One event of a task on its way to one push configuration. */
export interface PushNotification {
  /** The same for every attempt and different for every event, so that receivers can drop duplicates. ASCII. */
  readonly id: string;
  /** The configuration with its secrets. */
  readonly config: TaskPushNotificationConfig;
  /** The dialect in which the configuration was registered. It determines the payload. */
  readonly dialect: string;
  readonly event: StreamResponse;
  /** The sequence of the event in its task's log. */
  readonly sequence: number;
  /** The number of this attempt, from 1. */
  readonly attempt: number;
  /** The trace that the attempt is part of. Receivers get it. */
  readonly trace?: TraceContext;
  /**
   * The task as of this event, for dialects whose payload is the task. Loads the whole task, so call it only when
   * it is needed.
   */
  task(): Promise<Task>;
}

/** The result of an attempt. */
export type PushOutcome =
  | { readonly kind: "arrived" }
  | {
      readonly kind: "failed";
      /** For operators. Must not contain secrets. */
      readonly reason: string;
      /** The next attempt is made no sooner than this. */
      readonly retryAfterMs?: number;
      /** Gives up: further attempts would fail too. */
      readonly isFinal?: boolean;
    };

/** Sends push notifications: the port between the queues and the network. */
export interface PushSender {
  /**
   * Rejects with `INVALID_PARAMS`, naming the field, when deliveries to this configuration can never succeed. May
   * ask the receiver whether it wants the notifications.
   */
  admit(config: TaskPushNotificationConfig): Promise<void>;
  /**
   * Makes one attempt. An error counts as a failure. The signal is aborted when `pushTimeoutMs` is over or the
   * runtime closes; the result is ignored then.
   */
  send(notification: PushNotification, signal: AbortSignal): Promise<PushOutcome>;
  close(): Promise<void>;
}
