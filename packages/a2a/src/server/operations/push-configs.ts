import { A2AError, renameFields } from "../../protocol/internal.js";
import type {
  AgentCapabilities,
  CallContext,
  RequestOf,
  ResultOf,
  TaskPushNotificationConfig,
} from "../../protocol/internal.js";
import { parseUrl } from "../../protocol/parse/internal.js";
import type {
  StoreLimits,
  PushConfigRecord,
  PushDetail,
  TaskRecord,
} from "../../store/internal.js";
import type { PushSender } from "../push/push-sender.js";
import type { RunEnvironment } from "../run-environment.js";
import { taskNotFound } from "./access.js";
import type { PageTokens } from "./page-tokens.js";
import { limitsOf, maxPushConfigs } from "./quota.js";

/** Registers and reads the push configurations of tasks. */
export class PushConfigs {
  readonly #environment: RunEnvironment;
  readonly #capabilities: AgentCapabilities;
  readonly #sender: PushSender | undefined;
  readonly #pageTokens: PageTokens;
  readonly #limits: StoreLimits;

  constructor(
    environment: RunEnvironment,
    capabilities: AgentCapabilities,
    { pageTokens, sender }: { pageTokens: PageTokens; sender: PushSender | undefined },
  ) {
    this.#pageTokens = pageTokens;
    this.#environment = environment;
    this.#limits = limitsOf(environment.settings);
    this.#capabilities = capabilities;
    this.#sender = sender;
  }

  /** Refuses push configurations when the agent does not send push notifications. */
  check(config: object | undefined): void {
    if (config === undefined || this.#capabilities.pushNotifications === true) return;
    const message = "this agent sends no push notifications";
    throw new A2AError("PUSH_NOTIFICATION_NOT_SUPPORTED", message);
  }

  /** Refuses a configuration to which the sender can never deliver. `place` is where the request has it. */
  async admit(config: TaskPushNotificationConfig, place?: string): Promise<void> {
    try {
      await this.#sender?.admit(config);
    } catch (error) {
      if (place === undefined || !A2AError.is(error)) throw error;
      throw renameFields(error, (field) => `${place}.${field}`);
    }
  }

  /** The record of a configuration. Without an id, 1.0 adds a configuration; earlier versions replace the default. */
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

  /** Returns what the caller has just sent, secrets included: it confirms the registration to who knows them. */
  async save(record: PushConfigRecord, publicId: string): Promise<TaskPushNotificationConfig> {
    await this.admit(record.config);
    const { store, notifier } = this.#environment;
    if (!(await store.savePushConfig(record, this.#limits))) throw taskNotFound(publicId);
    // Replacing a configuration makes what waits for it due at once.
    notifier?.wake();
    return record.config;
  }

  async get(
    record: TaskRecord,
    request: RequestOf<"getTaskPushNotificationConfig">,
  ): Promise<TaskPushNotificationConfig> {
    const found = await this.#find(record, request);
    if (found !== undefined) return masked(found);
    const { taskId, id } = request;
    const which = id === undefined ? "" : ` ${JSON.stringify(id)}`;
    throw new A2AError("TASK_NOT_FOUND", `task ${taskId} has no push configuration${which}`, {
      details: { metadata: { taskId, pushNotificationConfigId: id ?? taskId } },
    });
  }

  async list(
    record: TaskRecord,
    request: RequestOf<"listTaskPushNotificationConfigs">,
  ): Promise<ResultOf<"listTaskPushNotificationConfigs">> {
    const { pageSize = maxPushConfigs, pageToken = "" } = request;
    const limit = Math.max(1, Math.min(pageSize, maxPushConfigs));
    const { store } = this.#environment;
    // The task identifies the caller: only its owner gets this far.
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

  /** Callers before 1.0 may leave out the id: they get the default configuration, or else the first. */
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

/** Removes secrets: callers can set them but never read them. */
function masked({ config }: PushConfigRecord): TaskPushNotificationConfig {
  const { token: _, headers: __, authentication, ...rest } = config;
  if (authentication === undefined) return rest;
  const { credentials: ___, ...scheme } = authentication;
  return { ...rest, authentication: scheme };
}

/** The dialects whose notifications hold the event. In the others a notification for every chunk would repeat the task. */
const eventDialects: ReadonlySet<string> = new Set(["1.0", "0.3-schema"]);

function detailFor(dialect: string): PushDetail {
  return eventDialects.has(dialect) ? "chunks" : "artifacts";
}

function hostOf(url: string): string {
  return parseUrl(url)?.host ?? url;
}
