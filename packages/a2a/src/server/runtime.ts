import { A2AError, isTerminal } from "../protocol/internal.js";
import type {
  AgentCard,
  AgentService,
  CallContext,
  MountableAgent,
  RequestOf,
  ResultOf,
  SendMessageConfiguration,
  StreamEvent,
  Task,
} from "../protocol/internal.js";
import { createInProcessBus } from "../bus/internal.js";
import type { Bus } from "../bus/internal.js";
import type { Store, TaskRecord } from "../store/internal.js";
import { accessOf, findTask, isUnknownOwner, ownerOf, taskNotFound } from "./operations/access.js";
import type { Access } from "./operations/access.js";
import { createAdmission } from "./operations/admission.js";
import type { Admission } from "./operations/admission.js";
import type { Agent } from "./author/agent.js";
import { createBoundary } from "./boundary.js";
import { cancelTask } from "./operations/cancel-task.js";
import { sourceOf, systemClock } from "../async/internal.js";
import type { AnySignal, Clock, LightSignal, StreamSource } from "../async/internal.js";
import { listTasks } from "./operations/list-tasks.js";
import { LiveTasks } from "./log/live-tasks.js";
import type { LiveHandle } from "./log/live-tasks.js";
import { Maintenance } from "./upkeep/maintenance.js";
import { newId as newTimedId } from "./new-id.js";
import { PageTokens } from "./operations/page-tokens.js";
import { PushConfigs } from "./operations/push-configs.js";
import { createPushOutbox } from "./push/push-outbox.js";
import type { PushOutbox } from "./push/push-outbox.js";
import { PushDelivery } from "./push/push-delivery.js";
import type { PushSender } from "./push/push-sender.js";
import type { Report, RunEnvironment } from "./run-environment.js";
import { Runner } from "./run/runner.js";
import { Sender } from "./operations/sender.js";
import type { Sent } from "./operations/sender.js";
import { defaultSettings } from "./settings.js";
import type { RuntimeSettings } from "./settings.js";
import { createTaskLookup } from "./operations/task-lookup.js";
import type { TaskLookup } from "./operations/task-lookup.js";
import { withHistory } from "./operations/task-view.js";
import { abandonable } from "./watch/abandonable.js";
import { resumeAfter, settled, Watcher } from "./watch/watcher.js";

/** What a runtime needs: an agent, a store, and whatever else differs from the defaults. */
export interface RuntimeOptions {
  readonly agent: Agent;
  readonly store: Store;
  readonly bus?: Bus;
  readonly settings?: Partial<RuntimeSettings>;
  /** Reports errors that callers do not see. Default: one line on the console. */
  readonly report?: Report;
  /**
   * The extended card for authenticated callers, if the agent declares one. A card without interfaces gets those
   * of the public card.
   */
  readonly extendedCard?: (call: CallContext, agent: Agent) => AgentCard | Promise<AgentCard>;
  /** Sends push notifications; without it none are sent. The runtime closes it. */
  readonly pushSender?: PushSender;
  readonly clock?: Clock;
  readonly newId?: () => string;
}

/** A service that runs an agent over a store. Servers mount it as it is. */
export interface Runtime extends AgentService, Required<MountableAgent>, AsyncDisposable {
  /** This agent's waiting and failed push notifications, for operators. */
  readonly push: PushOutbox;
  /** Refuses new work, gives runs time to finish (`stopGraceMs`), and leaves the rest to other nodes. */
  close(): Promise<void>;
}

/** Opens a runtime: takes a lease for this node and takes over the tasks of nodes that have died. */
export async function openRuntime(options: RuntimeOptions): Promise<Runtime> {
  const { store, clock = systemClock } = options;
  const newId = options.newId ?? (() => newTimedId(clock.now()));
  const bus = options.bus ?? createInProcessBus();
  const settings = { ...defaultSettings, ...options.settings };
  const { pushSender: sender, report = reportToConsole } = options;
  const agent = options.agent.name;
  const node = newId();
  const delivery =
    sender && new PushDelivery({ store, clock, settings, node, agent, sender, report });
  const environment: RunEnvironment = {
    store,
    bus,
    clock,
    settings,
    newId,
    node,
    liveTasks: new LiveTasks({ store, bus, clock, notifier: delivery }),
    notifier: delivery,
    report,
    orphans: new Set(),
  };
  const service = new TaskService(environment, options);
  await service.start();
  delivery?.wake();
  const close = async (): Promise<void> => {
    await service.stop();
    await delivery?.stop();
    await store.releaseNode(node);
  };
  const operations = behindBoundary(service, environment);
  return {
    ...operations,
    service: operations,
    card: (interfaces) => options.agent.card(interfaces),
    push: createPushOutbox({ store, clock, agent, notifier: delivery }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function behindBoundary(
  service: TaskService,
  environment: RunEnvironment,
): AgentService & Pick<Runtime, "createdIn"> {
  const { unary, streaming } = createBoundary(environment);
  return {
    sendMessage: unary((request, call) => service.sendMessage(request, call)),
    sendStreamingMessage: streaming((...given) => service.sendStreamingMessage(...given)),
    getTask: unary((request, call) => service.getTask(request, call)),
    listTasks: unary((request, call) => service.listTasks(request, call)),
    cancelTask: unary((request, call) => service.cancelTask(request, call)),
    subscribeToTask: streaming((...given) => service.subscribeToTask(...given)),
    createTaskPushNotificationConfig: unary((request, call) =>
      service.createPushConfig(request, call),
    ),
    getTaskPushNotificationConfig: unary((request, call) => service.getPushConfig(request, call)),
    listTaskPushNotificationConfigs: unary((request, call) =>
      service.listPushConfigs(request, call),
    ),
    deleteTaskPushNotificationConfig: unary((request, call) =>
      service.deletePushConfig(request, call),
    ),
    getExtendedAgentCard: unary((_, call) => service.getExtendedAgentCard(call)),
    createdIn: unary((taskId: string, call) => service.createdIn(taskId, call)),
  };
}

/** The operations of a runtime, without its boundary: callers must not see the errors that these throw. */
class TaskService {
  readonly #environment: RunEnvironment;
  readonly #options: RuntimeOptions;
  readonly #agent: Agent;
  readonly #admission: Admission;
  readonly #lookup: TaskLookup;
  readonly #runner: Runner;
  readonly #sender: Sender;
  readonly #pushConfigs: PushConfigs;
  readonly #pageTokens: PageTokens;
  readonly #maintenance: Maintenance;

  constructor(environment: RunEnvironment, options: RuntimeOptions) {
    const { agent } = options;
    const pageTokens = new PageTokens(environment.store);
    const sender = options.pushSender;
    const pushConfigs = new PushConfigs(environment, agent.capabilities, { pageTokens, sender });
    const admission = createAdmission(agent.card([]));
    const lookup = createTaskLookup(environment, agent.name);
    const runner = new Runner({ environment, agent, relatedTasks: lookup });
    this.#environment = environment;
    this.#options = options;
    this.#agent = agent;
    this.#admission = admission;
    this.#lookup = lookup;
    this.#runner = runner;
    this.#pushConfigs = pushConfigs;
    this.#pageTokens = pageTokens;
    this.#sender = new Sender({ environment, agent, admission, pushConfigs, runner });
    this.#maintenance = new Maintenance(environment, agent, runner);
  }

  async start(): Promise<void> {
    await this.#maintenance.start();
  }

  /** Stops everything except the lease, which has to outlive the last run. */
  async stop(): Promise<void> {
    const { settings, liveTasks } = this.#environment;
    await this.#runner.stop(settings.stopGraceMs);
    await this.#maintenance.stop();
    liveTasks.close();
  }

  async sendMessage(
    request: RequestOf<"sendMessage">,
    call: CallContext,
  ): Promise<ResultOf<"sendMessage">> {
    const sent = await this.#send(request, call, call.signal);
    if ("reply" in sent) return { message: sent.reply };
    return { task: await this.#await(sent.handle, request.configuration ?? {}, call) };
  }

  /** The task that a message was sent to: at once, or when it has settled. Releases the handle. */
  async #await(
    handle: LiveHandle,
    { returnImmediately = false, historyLength }: SendMessageConfiguration,
    call: CallContext,
  ): Promise<Task> {
    const { live } = handle;
    try {
      const { task } = returnImmediately ? await live.snapshot() : await settled(live, call.signal);
      return withHistory(task, historyLength);
    } finally {
      handle.release();
    }
  }

  async sendStreamingMessage(
    request: RequestOf<"sendStreamingMessage">,
    call: CallContext,
    signal: LightSignal,
  ): Promise<StreamSource<StreamEvent>> {
    this.#admission.checkStreaming();
    const sent = await this.#send(request, call, signal);
    if ("reply" in sent) return sourceOf({ response: { message: sent.reply } });
    const start = sent.isNew === true ? "creation" : (sent.received ?? "now");
    return new Watcher(sent.handle, { operation: "sendStreamingMessage", start, signal });
  }

  async getTask(
    { id, historyLength }: RequestOf<"getTask">,
    call: CallContext,
  ): Promise<ResultOf<"getTask">> {
    const access = accessOf(call, this.#environment.settings);
    // Some callers before 1.0 get a task by the id of a message in it.
    const task =
      (await this.#lookup.load(access, id)) ??
      (call.version === "1.0" ? undefined : await this.#lookup.loadByMessage(access.owner, id));
    if (task === undefined) throw taskNotFound(id);
    return withHistory(task, historyLength);
  }

  async listTasks(
    request: RequestOf<"listTasks">,
    call: CallContext,
  ): Promise<ResultOf<"listTasks">> {
    const { store, settings } = this.#environment;
    const { name: agent } = this.#agent;
    return listTasks({ store, agent, settings, pageTokens: this.#pageTokens }, request, call);
  }

  async cancelTask(
    { id }: RequestOf<"cancelTask">,
    call: CallContext,
  ): Promise<ResultOf<"cancelTask">> {
    const handle = await this.#open(id, call);
    try {
      return await cancelTask(this.#environment, handle.live);
    } finally {
      handle.release();
    }
  }

  async subscribeToTask(
    { id }: RequestOf<"subscribeToTask">,
    call: CallContext,
    signal: LightSignal,
  ): Promise<StreamSource<StreamEvent>> {
    this.#admission.checkStreaming();
    const { version } = call;
    const handle = await this.#open(id, call);
    const start = resumeAfter(handle.live, call.resumeAfter);
    // Before 1.0, subscribing to an ended task returns the task. Resuming works in every version.
    if (start === "now" && version === "1.0" && isTerminal(handle.live.state)) {
      handle.release();
      const message = `task ${id} has ended; get it instead of subscribing to it`;
      throw new A2AError("UNSUPPORTED_OPERATION", message, {
        details: { metadata: { taskId: id } },
      });
    }
    return new Watcher(handle, { operation: "subscribeToTask", start, signal });
  }

  async createPushConfig(
    request: RequestOf<"createTaskPushNotificationConfig">,
    call: CallContext,
  ): Promise<ResultOf<"createTaskPushNotificationConfig">> {
    this.#pushConfigs.check(request);
    const { taskId } = await this.#record(request.taskId, call);
    const task = { taskId, publicId: request.taskId };
    const record = this.#pushConfigs.recordOf(task, request, call);
    return this.#pushConfigs.save(record, request.taskId);
  }

  async getPushConfig(
    request: RequestOf<"getTaskPushNotificationConfig">,
    call: CallContext,
  ): Promise<ResultOf<"getTaskPushNotificationConfig">> {
    this.#pushConfigs.check(request);
    return this.#pushConfigs.get(await this.#record(request.taskId, call), request);
  }

  async listPushConfigs(
    request: RequestOf<"listTaskPushNotificationConfigs">,
    call: CallContext,
  ): Promise<ResultOf<"listTaskPushNotificationConfigs">> {
    this.#pushConfigs.check(request);
    return this.#pushConfigs.list(await this.#record(request.taskId, call), request);
  }

  async deletePushConfig(
    request: RequestOf<"deleteTaskPushNotificationConfig">,
    call: CallContext,
  ): Promise<void> {
    this.#pushConfigs.check(request);
    await this.#pushConfigs.delete(await this.#record(request.taskId, call), request.id);
  }

  async getExtendedAgentCard(call: CallContext): Promise<AgentCard> {
    if (this.#agent.capabilities.extendedAgentCard !== true) {
      throw new A2AError("UNSUPPORTED_OPERATION", "this agent has no extended card");
    }
    if (isUnknownOwner(ownerOf(call), this.#environment.settings)) {
      throw new A2AError("UNAUTHENTICATED", "the extended card is for authenticated callers");
    }
    const { extendedCard } = this.#options;
    if (extendedCard === undefined) {
      const message = "this agent declares an extended card but has none configured";
      throw new A2AError("EXTENDED_AGENT_CARD_NOT_CONFIGURED", message);
    }
    return extendedCard(call, this.#agent);
  }

  async createdIn(taskId: string, call: CallContext): Promise<string | undefined> {
    const { store } = this.#environment;
    const access = accessOf(call, this.#environment.settings);
    const record = await findTask(store, this.#agent.name, access, taskId);
    return record?.createdIn;
  }

  #send(
    request: RequestOf<"sendMessage">,
    call: CallContext,
    signal: AnySignal | undefined,
  ): Promise<Sent> {
    const letGo = (late: Sent): void => {
      if ("handle" in late) late.handle.release();
    };
    return abandonable(signal, () => this.#sender.send(request, call), letGo);
  }

  /** The record of a task, by default only of one that the caller owns. */
  async #record(
    id: string,
    call: CallContext,
    access: Access = { owner: ownerOf(call) },
  ): Promise<TaskRecord> {
    const record = await findTask(this.#environment.store, this.#agent.name, access, id);
    if (record === undefined) throw taskNotFound(id);
    return record;
  }

  /** Opens a task that is at least as new as the store has it now. */
  async #open(id: string, call: CallContext): Promise<LiveHandle> {
    const access = accessOf(call, this.#environment.settings);
    const { taskId, sequence } = await this.#record(id, call, access);
    const handle = await this.#environment.liveTasks.open(taskId);
    if (handle === undefined) throw taskNotFound(id);
    try {
      if (handle.live.sequence < sequence) await handle.live.refresh();
      return handle;
    } catch (error) {
      handle.release();
      throw error;
    }
  }
}

function reportToConsole(error: unknown, taskId: string, reference?: string): void {
  const mark = reference === undefined ? "" : ` (${reference})`;
  console.error(`task ${taskId}${mark}:`, error);
}
