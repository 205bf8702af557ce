import type { TaskPushNotificationConfig } from "../protocol/internal.js";
import type { Limits } from "./limits.js";
import type { PushDetail } from "./push-detail.js";

/** A push configuration, with the dialect in which it was registered, which determines the payload. */
export interface PushConfigRecord {
  readonly taskId: string;
  readonly configId: string;
  readonly dialect: string;
  readonly detail: PushDetail;
  /** The host to which notifications go. Limits per host apply to all tasks together. */
  readonly host: string;
  readonly config: TaskPushNotificationConfig;
}

/** Keeps the push configurations of tasks. */
export interface PushStore {
  /**
   * Creates or replaces a configuration. Unless the queue of a replaced one is claimed, it is due at once and its
   * attempts are reset. Returns false, without effect, when there is no such task.
   */
  savePushConfig(record: PushConfigRecord, limits?: Limits): Promise<boolean>;
  loadPushConfig(taskId: string, configId: string): Promise<PushConfigRecord | undefined>;
  /** Lists by ascending id, after a given id, at most `limit`. */
  listPushConfigs(
    taskId: string,
    after: string | undefined,
    limit: number,
  ): Promise<readonly PushConfigRecord[]>;
  /** Deletes a configuration with all its deliveries, including buried ones. Does nothing when there is none. */
  deletePushConfig(taskId: string, configId: string): Promise<void>;
}
