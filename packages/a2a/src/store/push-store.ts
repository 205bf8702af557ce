import type { TaskPushNotificationConfig } from "../protocol/index.js";

/** A push configuration and the dialect in which it was registered, which decides the payload. */
export interface PushConfigRecord {
  readonly taskId: string;
  readonly configId: string;
  readonly dialect: string;
  readonly config: TaskPushNotificationConfig;
}

export interface PushStore {
  /** Creates or replaces. The task may come into being later. */
  savePushConfig(record: PushConfigRecord): Promise<void>;
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
