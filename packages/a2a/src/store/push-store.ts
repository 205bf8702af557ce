import type { TaskPushNotificationConfig } from "../protocol/index.js";

/** A push configuration and the dialect in which it was registered, which decides the payload. */
export interface PushConfigRecord {
  readonly taskId: string;
  readonly configId: string;
  readonly dialect: string;
  readonly config: TaskPushNotificationConfig;
}

export interface PushStore {
  /** Creates or replaces. */
  savePushConfig(record: PushConfigRecord): Promise<void>;
  loadPushConfig(taskId: string, configId: string): Promise<PushConfigRecord | undefined>;
  /** In order of their ids, after one of them, at most `limit`. */
  listPushConfigs(
    taskId: string,
    after: string | undefined,
    limit: number,
  ): Promise<readonly PushConfigRecord[]>;
  /** Deletes with all deliveries still due; nothing happens when there is none. */
  deletePushConfig(taskId: string, configId: string): Promise<void>;
}
