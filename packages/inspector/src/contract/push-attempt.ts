/** An attempt of the server beside the inspector to send a push notification. Times are milliseconds since 1970. */
export interface PushAttempt {
  /** Counted from 1. */
  readonly id: number;
  readonly taskId: string;
  readonly configId: string;
  /** The place of the event in the task's log. */
  readonly sequence: number;
  /** The number of the attempt for this event, from 1. */
  readonly attempt: number;
  /** The host of the webhook. The rest of its address may be secret. */
  readonly host: string;
  readonly startedAt: number;
  /** Absent while it is under way. */
  readonly endedAt?: number;
  readonly outcome?: "arrived" | "failed";
  /** Why it failed. */
  readonly reason?: string;
  /** No attempt follows: the receiver wants none, or the address is refused. */
  readonly isFinal?: boolean;
}

/** `GET /api/pushes`: the last 1,000 attempts, oldest first. */
export interface PushAttempts {
  readonly attempts: readonly PushAttempt[];
}
