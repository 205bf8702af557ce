import { A2AError, isTerminal } from "../protocol/index.js";
import type { AgentCard, AgentService, CallContext, StreamEvent, Task } from "../protocol/index.js";
import { createInProcessBus } from "../bus/index.js";
import type { Bus } from "../bus/index.js";
import type { Store, TaskRecord } from "../store/index.js";
import { findTask, ownerOf, taskNotFound } from "./access.js";
import { createAdmission } from "./admission.js";
import type { Admission } from "./admission.js";
import type { Agent } from "./agent.js";
import { cancelTask } from "./cancel.js";
import { systemClock } from "./clock.js";
import type { Clock } from "./clock.js";
import { listTasks } from "./list-tasks.js";
import { LiveTasks } from "./live-tasks.js";
import type { LiveHandle } from "./live-tasks.js";
import { Maintenance } from "./maintenance.js";
import { PushConfigs } from "./push-configs.js";
import type { Report, RunEnvironment } from "./run-environment.js";
import { Runner } from "./runner.js";
import { Sender } from "./send.js";
import { defaultSettings } from "./settings.js";
import type { RuntimeSettings } from "./settings.js";
import { foldStored, withHistory } from "./task-view.js";
import { resumeAfter, settled, watch } from "./watch.js";

export interface RuntimeOptions {
  readonly agent: Agent;
  readonly store: Store;
  readonly bus?: Bus;
  readonly settings?: Partial<RuntimeSettings>;
  /** Hears of errors that callers are not shown. Default: one line on the console. */
  readonly report?: Report;
  /** The card for authenticated callers, where the agent declares one. */
  readonly extendedCard?: (call: CallContext) => AgentCard | Promise<AgentCard>;
  readonly clock?: Clock;
  readonly newId?: () => string;
}

/** A service that runs an agent over a store. */
export interface Runtime extends AgentService, AsyncDisposable {
  /** The dialect of the call that created a task; `undefined` for tasks the caller cannot see. */
  originOf(taskId: string, call: CallContext): Promise<string | undefined>;
  /** Takes no more work, gives runs time to finish, and hands the rest to other nodes. */
  close(): Promise<void>;
}

/** Opens a runtime: announces this node and takes over what dead nodes left behind. */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { store, clock = systemClock, newId = () => crypto.randomUUID() } = options;
  const bus = options.bus ?? createInProcessBus();
  const settings = { ...defaultSettings, ...options.settings };
  const environment: RunEnvironment = {
    store,
    bus,
    clock,
    settings,
    newId,
    node: newId(),
    lives: new LiveTasks({ store, bus, clock }),
    report: options.report ?? reportToConsole,
  };
  const service = new TaskService(environment, options);
  await service.maintenance.start();
  return service;
}

class TaskService implements Runtime {
  readonly maintenance: Maintenance;
  readonly #environment: RunEnvironment;
  readonly #options: RuntimeOptions;
  readonly #agent: Agent;
  readonly #runner: Runner;
  readonly #sender: Sender;
  readonly #pushConfigs: PushConfigs;
  readonly #admission: Admission;

  constructor(environment: RunEnvironment, options: RuntimeOptions) {
    const { agent } = options;
    this.#environment = environment;
    this.#options = options;
    this.#agent = agent;
    this.#pushConfigs = new PushConfigs(environment, agent.capabilities);
    this.#admission = createAdmission(agent.card([]));
    this.#runner = new Runner(environment, agent, {
      referenced: async (owner, ids) => {
        const tasks = ids.map((id) => this.#load(id, { owner }));
        return (await Promise.all(tasks)).flatMap((task) => (task === undefined ? [] : [task]));
      },
      earlier: async (owner, contextId, limit) => {
        const { tasks } = await environment.store.list({
          owner,
          agent: agent.name,
          contextId,
          limit,
        });
        return tasks.map(foldStored);
      },
    });
    this.#sender = new Sender({
      environment,
      agent,
      runner: this.#runner,
      pushConfigs: this.#pushConfigs,
      admission: this.#admission,
    });
    this.maintenance = new Maintenance(environment, agent, this.#runner);
  }

  readonly sendMessage: AgentService["sendMessage"] = async (request, call) => {
    const sent = await this.#sender.send(request, call);
    if ("reply" in sent) return { message: sent.reply };
    const { live } = sent.handle;
    try {
      const waits = request.configuration?.returnImmediately !== true;
      const { task } = waits ? await settled(live, call.signal) : await live.snapshot();
      return { task: withHistory(task, request.configuration?.historyLength) };
    } finally {
      sent.handle.release();
    }
  };

  async *sendStreamingMessage(
    ...[request, call]: Parameters<AgentService["sendStreamingMessage"]>
  ): AsyncGenerator<StreamEvent, void, void> {
    this.#admission.checkStreaming();
    const sent = await this.#sender.send(request, call);
    if ("reply" in sent) {
      yield { response: { message: sent.reply } };
      return;
    }
    const start = sent.isNew === true ? "creation" : "now";
    try {
      yield* watch(sent.handle.live, "sendStreamingMessage", start, call.signal);
    } finally {
      sent.handle.release();
    }
  }

  readonly getTask: AgentService["getTask"] = async ({ id, historyLength }, call) => {
    const owner = ownerOf(call);
    const task = (await this.#load(id, { owner })) ?? (await this.#loadByMessage(id, owner, call));
    if (task === undefined) throw taskNotFound(id);
    return withHistory(task, historyLength);
  };

  readonly listTasks: AgentService["listTasks"] = async (request, call) => {
    const { store, settings } = this.#environment;
    return listTasks({ store, agent: this.#agent.name, settings }, request, call);
  };

  readonly cancelTask: AgentService["cancelTask"] = async ({ id }, call) => {
    const handle = await this.#open(id, call);
    try {
      return await cancelTask(this.#environment, handle.live);
    } finally {
      handle.release();
    }
  };

  async *subscribeToTask(
    ...[{ id }, call]: Parameters<AgentService["subscribeToTask"]>
  ): AsyncGenerator<StreamEvent, void, void> {
    this.#admission.checkStreaming();
    const handle = await this.#open(id, call);
    const { live } = handle;
    try {
      const start = resumeAfter(live, call.resumeAfter);
      // Before 1.0 a finished task is answered with itself; resuming is allowed in every version.
      if (start === "now" && call.version === "1.0" && isTerminal(live.state)) {
        const message = `task ${id} has ended; get it instead of subscribing to it`;
        throw new A2AError("UNSUPPORTED_OPERATION", message, {
          details: { metadata: { taskId: id } },
        });
      }
      yield* watch(live, "subscribeToTask", start, call.signal);
    } finally {
      handle.release();
    }
  }

  readonly createTaskPushNotificationConfig: AgentService["createTaskPushNotificationConfig"] =
    async (request, call) => {
      this.#pushConfigs.check(request);
      const { taskId } = await this.#record(request.taskId, call);
      return this.#pushConfigs.save({ taskId, publicId: request.taskId }, request, call);
    };

  readonly getTaskPushNotificationConfig: AgentService["getTaskPushNotificationConfig"] = async (
    request,
    call,
  ) => {
    this.#pushConfigs.check(request);
    return this.#pushConfigs.get(await this.#record(request.taskId, call), request);
  };

  readonly listTaskPushNotificationConfigs: AgentService["listTaskPushNotificationConfigs"] =
    async (request, call) => {
      this.#pushConfigs.check(request);
      return this.#pushConfigs.list(await this.#record(request.taskId, call), request);
    };

  readonly deleteTaskPushNotificationConfig: AgentService["deleteTaskPushNotificationConfig"] =
    async (request, call) => {
      this.#pushConfigs.check(request);
      await this.#pushConfigs.delete(await this.#record(request.taskId, call), request.id);
    };

  readonly getExtendedAgentCard: AgentService["getExtendedAgentCard"] = async (_, call) => {
    if (this.#agent.capabilities.extendedAgentCard !== true) {
      throw new A2AError("UNSUPPORTED_OPERATION", "this agent has no extended card");
    }
    if (this.#environment.settings.hasAuthentication && call.principal === undefined) {
      throw new A2AError("UNAUTHENTICATED", "the extended card is for authenticated callers");
    }
    const { extendedCard } = this.#options;
    if (extendedCard === undefined) {
      const message = "this agent declares an extended card but has none configured";
      throw new A2AError("EXTENDED_AGENT_CARD_NOT_CONFIGURED", message);
    }
    return extendedCard(call);
  };

  async originOf(taskId: string, call: CallContext): Promise<string | undefined> {
    const { store } = this.#environment;
    const record = await findTask(store, this.#agent.name, ownerOf(call), taskId);
    return record?.origin;
  }

  async close(): Promise<void> {
    this.maintenance.stopRecovery();
    await this.#runner.stop(this.#environment.settings.stopGraceMs);
    await this.maintenance.stop();
    await this.#environment.store.releaseNode(this.#environment.node);
    this.#environment.lives.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #record(id: string, call: CallContext): Promise<TaskRecord> {
    const record = await findTask(this.#environment.store, this.#agent.name, ownerOf(call), id);
    if (record === undefined) throw taskNotFound(id);
    return record;
  }

  async #open(id: string, call: CallContext): Promise<LiveHandle> {
    const { taskId } = await this.#record(id, call);
    const handle = await this.#environment.lives.open(taskId);
    if (handle === undefined) throw taskNotFound(id);
    if (!handle.live.isHeld) await handle.live.refresh();
    return handle;
  }

  async #load(
    id: string,
    { owner }: { readonly owner: TaskRecord["owner"] },
  ): Promise<Task | undefined> {
    const { store } = this.#environment;
    const record = await findTask(store, this.#agent.name, owner, id);
    const stored = record && (await store.load(record.taskId));
    return stored && foldStored(stored);
  }

  /** Some callers before 1.0 ask for a task by the id of a message in it. */
  async #loadByMessage(
    messageId: string,
    owner: TaskRecord["owner"],
    call: CallContext,
  ): Promise<Task | undefined> {
    if (call.version === "1.0") return undefined;
    const taskId = await this.#environment.store.findByMessageId(owner, messageId);
    const stored = taskId === undefined ? undefined : await this.#environment.store.load(taskId);
    return stored?.record.agent === this.#agent.name ? foldStored(stored) : undefined;
  }
}

function reportToConsole(error: unknown, taskId: string, reference?: string): void {
  const mark = reference === undefined ? "" : ` (${reference})`;
  console.error(`task ${taskId}${mark}:`, error);
}
