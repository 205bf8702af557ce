/** How the sender of push notifications authenticates at the receiver (§4.3.2). */
export interface AuthenticationInfo {
  /** An HTTP authentication scheme, such as `Bearer`. */
  readonly scheme: string;
  readonly credentials?: string;
  /**
   * Every scheme the caller listed, `scheme` among them. Versions up to 0.3 register a list; it is kept
   * so that they read back what they wrote. Never on the 1.0 wire.
   */
  readonly schemes?: readonly string[];
}

/** Where the updates of one task are sent (§4.3.1). */
export interface TaskPushNotificationConfig {
  readonly tenant?: string;
  /** Assigned by the server when absent: a new id in 1.0, the task's id in earlier versions. */
  readonly id?: string;
  /** Absent in a send that creates the task. */
  readonly taskId?: string;
  readonly url: string;
  /** Sent with every notification, so that the receiver can tell that it registered for them. */
  readonly token?: string;
  readonly authentication?: AuthenticationInfo;
  /** Extra request headers, which some 0.3 callers register; secret. Never on the 1.0 wire. */
  readonly headers?: Readonly<Record<string, string>>;
}
