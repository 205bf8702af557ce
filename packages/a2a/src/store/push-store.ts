import type { TaskPushNotificationConfig } from "../protocol/internal.js";
import type { PushDetail } from "./push-detail.js";

/** A push configuration and the dialect in which it was registered, which decides the payload. */
export interface PushConfigRecord {
  readonly taskId: string;
  readonly configId: string;
  readonly dialect: string;
  readonly detail: PushDetail;
  /** Where its notifications go. Those of one host share its limit, whatever tasks they are of. */
  readonly host: string;
  readonly config: TaskPushNotificationConfig;
}

/** Keeps the push configurations of tasks. */
export interface PushStore {
  /**
   * Creates or replaces; what waits for a replaced one is due at once, as if it had never been tried, unless
   * it is claimed. Answers false, without effect, when there is no such task.
   */
  savePushConfig(record: PushConfigRecord): Promise<boolean>;
  loadPushConfig(taskId: string, configId: string): Promise<PushConfigRecord | undefined>;
  /** In ascending order of their ids, after one of them, at most `limit`. */
  listPushConfigs(
    taskId: string,
    after: string | undefined,
    limit: number,
  ): Promise<readonly PushConfigRecord[]>;
  /** Deletes with all its deliveries, buried ones too; nothing happens when there is none. */
  deletePushConfig(taskId: string, configId: string): Promise<void>;
}
