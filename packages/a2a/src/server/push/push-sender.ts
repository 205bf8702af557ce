import type { StreamResponse, Task, TaskPushNotificationConfig } from "../../protocol/internal.js";

/** One event of a task on its way to one push configuration. */
export interface PushNotification {
  /** The same for every attempt and different for every event, so that receivers can drop repeats. ASCII. */
  readonly id: string;
  /** With its secrets. */
  readonly config: TaskPushNotificationConfig;
  /** In which the configuration was registered; it decides the payload. */
  readonly dialect: string;
  readonly event: StreamResponse;
  /** Of the event in its task's log. */
  readonly sequence: number;
  /** Counted from 1. */
  readonly attempt: number;
  /**
   * The task as of this event, for dialects whose payload it is. Costs what the task weighs, so it is
   * only made when it is asked for.
   */
  task(): Promise<Task>;
}

/** How an attempt ended. */
export type PushOutcome =
  | { readonly kind: "arrived" }
  | {
      readonly kind: "failed";
      /** For operators. Without secrets. */
      readonly reason: string;
      /** No attempt is to be made before this time has passed. */
      readonly retryAfterMs?: number;
      /** Further attempts are in vain. */
      readonly isFinal?: boolean;
    };

/** Carries notifications to their receivers: the port between the outbox and the network. */
export interface PushSender {
  /**
   * Refuses with `INVALID_PARAMS`, naming the field, what can never be delivered to. May ask the receiver
   * whether it wants the traffic.
   */
  admit(config: TaskPushNotificationConfig): Promise<void>;
  /**
   * Makes one attempt. What it throws counts as a failure. The signal ends it when its time is over or the
   * runtime closes; what the sender answers then is of no interest.
   */
  send(notification: PushNotification, signal: AbortSignal): Promise<PushOutcome>;
  close(): Promise<void>;
}
