import { A2AError } from "../../protocol/internal.js";
import type {
  AgentCapabilities,
  CallContext,
  RequestOf,
  ResultOf,
  TaskPushNotificationConfig,
} from "../../protocol/internal.js";
import type { PushConfigRecord, PushDetail, TaskRecord } from "../../store/internal.js";
import type { PushSender } from "../push/push-sender.js";
import type { RunEnvironment } from "../run-environment.js";
import { taskNotFound } from "./access.js";
import type { PageTokens } from "./page-tokens.js";

/** The most configurations one task may have. */
const maxConfigs = 100;

/** The push configurations of tasks. */
export class PushConfigs {
  readonly #environment: RunEnvironment;
  readonly #capabilities: AgentCapabilities;
  readonly #sender: PushSender | undefined;

  readonly #pageTokens: PageTokens;

  constructor(
    environment: RunEnvironment,
    capabilities: AgentCapabilities,
    { pageTokens, sender }: { pageTokens: PageTokens; sender: PushSender | undefined },
  ) {
    this.#pageTokens = pageTokens;
    this.#environment = environment;
    this.#capabilities = capabilities;
    this.#sender = sender;
  }

  /** Refuses push where the agent does not offer it. */
  check(config: object | undefined): void {
    if (config === undefined || this.#capabilities.pushNotifications === true) return;
    const message = "this agent sends no push notifications";
    throw new A2AError("PUSH_NOTIFICATION_NOT_SUPPORTED", message);
  }

  /** Refuses what can never be delivered to, and receivers that do not want it. */
  async admit(config: TaskPushNotificationConfig | undefined): Promise<void> {
    if (config !== undefined) await this.#sender?.admit(config);
  }

  /** What is stored of one. Without an id, a 1.0 caller adds one and earlier callers set the task's only one. */
  recordOf(
    task: { readonly taskId: string; readonly publicId: string },
    config: TaskPushNotificationConfig,
    call: CallContext,
  ): PushConfigRecord {
    const { newId, settings } = this.#environment;
    const configId = config.id ?? (call.version === "1.0" ? newId() : task.publicId);
    const dialect = call.dialect ?? call.version;
    return {
      taskId: task.taskId,
      configId,
      dialect,
      detail: settings.pushEvents === "status" ? "status" : detailFor(dialect),
      host: hostOf(config.url),
      config: { ...config, id: configId, taskId: task.publicId },
    };
  }

  /** Refuses one more than a task may have. */
  async checkCount({ taskId, configId }: PushConfigRecord): Promise<void> {
    const { store } = this.#environment;
    const existing = await store.listPushConfigs(taskId, undefined, maxConfigs);
    const isNew = existing.every((record) => record.configId !== configId);
    if (!isNew || existing.length < maxConfigs) return;
    throw new A2AError("RESOURCE_EXHAUSTED", `a task has at most ${maxConfigs} configurations`);
  }

  async save(record: PushConfigRecord, publicId: string): Promise<TaskPushNotificationConfig> {
    await this.checkCount(record);
    await this.admit(record.config);
    const { store, notifier } = this.#environment;
    if (!(await store.savePushConfig(record))) throw taskNotFound(publicId);
    // What waits for one that was replaced is due now.
    notifier?.wake();
    return record.config;
  }

  async get(
    record: TaskRecord,
    request: RequestOf<"getTaskPushNotificationConfig">,
  ): Promise<TaskPushNotificationConfig> {
    const found = await this.#find(record, request);
    if (found !== undefined) return masked(found);
    throw new A2AError(
      "TASK_NOT_FOUND",
      `task ${request.taskId} has no push configuration ${JSON.stringify(request.id ?? "")}`,
      { details: { metadata: { taskId: request.taskId } } },
    );
  }

  async list(
    record: TaskRecord,
    request: RequestOf<"listTaskPushNotificationConfigs">,
  ): Promise<ResultOf<"listTaskPushNotificationConfigs">> {
    const { pageSize = maxConfigs, pageToken = "" } = request;
    const limit = Math.max(1, Math.min(pageSize, maxConfigs));
    const { store } = this.#environment;
    // The task says whose list it is: only its owner comes this far.
    const list = JSON.stringify(["push-configs", record.taskId]);
    const [after] = pageToken === "" ? [] : await this.#pageTokens.decode(pageToken, list);
    const place = typeof after === "string" ? after : undefined;
    const found = await store.listPushConfigs(record.taskId, place, limit + 1);
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const nextPageToken = last && (await this.#pageTokens.encode([last.configId], list));
    return {
      ...(page.length > 0 && { configs: page.map(masked) }),
      ...(nextPageToken !== undefined && { nextPageToken }),
    };
  }

  async delete(record: TaskRecord, configId: string): Promise<void> {
    await this.#environment.store.deletePushConfig(record.taskId, configId);
  }

  /** Callers before 1.0 may leave the id out and mean the default one, else any one. */
  async #find(
    record: TaskRecord,
    { taskId, id }: RequestOf<"getTaskPushNotificationConfig">,
  ): Promise<PushConfigRecord | undefined> {
    const { store } = this.#environment;
    const named = await store.loadPushConfig(record.taskId, id ?? taskId);
    if (named !== undefined || id !== undefined) return named;
    return (await store.listPushConfigs(record.taskId, undefined, 1))[0];
  }
}

/** Secrets go in and never come out. */
function masked({ config }: PushConfigRecord): TaskPushNotificationConfig {
  const { headers: _, authentication, ...rest } = config;
  if (authentication === undefined) return rest;
  const { credentials: __, ...scheme } = authentication;
  return { ...rest, authentication: scheme };
}

/** Before 1.0 a notification is the whole task: one for each chunk would be sent again and again. */
function detailFor(dialect: string): PushDetail {
  return dialect === "1.0" ? "chunks" : "artifacts";
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
