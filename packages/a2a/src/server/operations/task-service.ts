import { sourceOf } from "../../async/internal.js";
import type { AnySignal, LightSignal, StreamSource } from "../../async/internal.js";
import { A2AError, isTerminal } from "../../protocol/internal.js";
import type {
  AgentCard,
  CallableService,
  CallContext,
  MountableAgent,
  RequestOf,
  ResultOf,
  SendMessageConfiguration,
  StreamEvent,
  Task,
} from "../../protocol/internal.js";
import type { StoredTask, TaskRecord } from "../../store/internal.js";
import type { Agent } from "../author/agent.js";
import { createBoundary } from "../boundary.js";
import { foldStored, largeBytes } from "../log/fold-stored.js";
import type { LiveTask } from "../log/live-task.js";
import type { LiveHandle } from "../log/live-tasks.js";
import { publicTaskId } from "../log/task-identity.js";
import type { Snapshot } from "../log/task-replica.js";
import type { PushSender } from "../push/push-sender.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Runner } from "../run/runner.js";
import { abandonable } from "../watch/abandonable.js";
import { leftEarly, resumeAfter, settled, settledBy, Watcher } from "../watch/watcher.js";
import { accessOf, findTask, ownerOf, taskNotFound } from "./access.js";
import type { Access } from "./access.js";
import { createAdmission } from "./admission.js";
import type { Admission } from "./admission.js";
import { cancelTask, notCancelable } from "./cancel-task.js";
import { checkAnswer } from "./check-answer.js";
import { LargeReads } from "./large-reads.js";
import type { Held } from "./large-reads.js";
import { EndedTasks } from "./ended-tasks.js";
import { answerWith, isLarge, LargeTasks } from "./large-tasks.js";
import type { LargeSnapshot } from "./large-tasks.js";
import { listTasks } from "./list-tasks.js";
import { MethodCalls } from "./method-calls.js";
import { PageTokens } from "./page-tokens.js";
import { PushConfigs } from "./push-configs.js";
import { Sender } from "./sender.js";
import type { Sent, SendWait } from "./sender.js";
import type { TaskLookup } from "./task-lookup.js";
import { withHistory } from "./task-view.js";

type SendResult = ResultOf<"sendMessage">;

interface ServiceParts {
  readonly environment: RunEnvironment;
  readonly agent: Agent;
  readonly lookup: TaskLookup;
  readonly runner: Runner;
  readonly pushSender: PushSender | undefined;
}

/** Creates the operations of a runtime, behind its boundary. */
export function createTaskService(
  parts: ServiceParts,
): CallableService & Required<Pick<MountableAgent, "createdIn">> {
  const service = new TaskService(parts);
  const { unary, streaming } = createBoundary(parts.environment);
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
    callMethod: unary((request, call) => service.callMethod(request, call)),
    createdIn: unary((taskId: string, call) => service.createdIn(taskId, call)),
  };
}

/** The operations of a runtime, without its boundary: callers must not see the errors that these throw. */
class TaskService {
  readonly #environment: RunEnvironment;
  readonly #agent: Agent;
  readonly #lookup: TaskLookup;
  readonly #admission: Admission;
  readonly #sender: Sender;
  readonly #pushConfigs: PushConfigs;
  readonly #pageTokens: PageTokens;
  readonly #largeReads: LargeReads;
  readonly #largeTasks: LargeTasks;
  readonly #endedTasks: EndedTasks;
  readonly #methodCalls: MethodCalls;

  constructor({ environment, agent, lookup, runner, pushSender }: ServiceParts) {
    const pageTokens = new PageTokens(environment);
    const pushConfigs = new PushConfigs(environment, agent.capabilities, {
      pageTokens,
      sender: pushSender,
    });
    const admission = createAdmission(agent.card([]));
    this.#environment = environment;
    this.#agent = agent;
    this.#lookup = lookup;
    this.#admission = admission;
    this.#pushConfigs = pushConfigs;
    this.#pageTokens = pageTokens;
    const { settings, clock } = environment;
    this.#endedTasks = new EndedTasks(environment);
    this.#largeReads = new LargeReads({ maxBytes: settings.maxReadBytes, clock });
    this.#largeTasks = new LargeTasks(environment, this.#largeReads);
    this.#methodCalls = new MethodCalls({
      environment,
      agent,
      runner,
      largeReads: this.#largeReads,
    });
    this.#sender = new Sender({ environment, agent, admission, pushConfigs, runner });
  }

  sendMessage(
    request: RequestOf<"sendMessage">,
    call: CallContext,
  ): SendResult | Promise<SendResult> {
    const { configuration = {} } = request;
    const until = this.#waitsUntil(configuration, call);
    const wait = { isStreaming: false, until };
    const answer = (sent: Sent): SendResult | Promise<SendResult> => {
      if ("reply" in sent) return { message: sent.reply };
      return this.#await(sent.handle, configuration, call, until).then((task) => ({ task }));
    };
    const sent = this.#send(request, call, { signal: call.signal, wait });
    return sent instanceof Promise ? sent.then(answer) : answer(sent);
  }

  /** When a caller gets its task as it is; `undefined` if it waits until the task settles, or not at all. */
  #waitsUntil(
    { returnImmediately }: SendMessageConfiguration,
    { version }: CallContext,
  ): number | undefined {
    if (version === "1.0" || returnImmediately !== undefined) return undefined;
    const { clock, settings } = this.#environment;
    return clock.now() + settings.maxWaitMs;
  }

  /** The task that a message was sent to: at once, when it has settled, or when it is time. Releases the handle. */
  async #await(
    handle: LiveHandle,
    { returnImmediately = false, historyLength }: SendMessageConfiguration,
    call: CallContext,
    until: number | undefined,
  ): Promise<Task> {
    const { live } = handle;
    const { signal } = call;
    const { clock } = this.#environment;
    const settling = (): Promise<Snapshot> =>
      until === undefined ? settled(live, signal) : settledBy(live, until, { clock, signal });
    try {
      const snapshot = await (returnImmediately ? live.snapshot() : settling());
      if (!returnImmediately) checkAnswer(snapshot.task);
      return await this.#answer(live, snapshot, call, historyLength);
    } finally {
      handle.release();
    }
  }

  async #answer(
    live: LiveTask,
    snapshot: Snapshot,
    call: CallContext,
    historyLength?: number,
  ): Promise<Task> {
    const large = await this.#largeTasks.of(live, snapshot, call);
    if (large !== undefined) return answerWith(large, call, historyLength);
    return withHistory(snapshot.task, historyLength);
  }

  async sendStreamingMessage(
    request: RequestOf<"sendStreamingMessage">,
    call: CallContext,
    signal: LightSignal,
  ): Promise<StreamSource<StreamEvent>> {
    this.#admission.checkStreaming();
    const sent = await this.#send(request, call, { signal, wait: { isStreaming: true } });
    if ("reply" in sent) return sourceOf({ response: { message: sent.reply } });
    const operation = "sendStreamingMessage";
    if (sent.isNew === true) {
      return new Watcher(sent.handle, { operation, start: "creation", signal });
    }
    const { live } = sent.handle;
    const start = sent.received ?? (await live.snapshot());
    const large = await this.#largeTasks.of(live, start, call);
    return new Watcher(sent.handle, { operation, start, signal, large });
  }

  async getTask(
    { id, historyLength }: RequestOf<"getTask">,
    call: CallContext,
  ): Promise<ResultOf<"getTask">> {
    const access = accessOf(call, this.#environment.settings);
    const ended = this.#endedTasks.find(this.#agent.name, access, id);
    if (ended !== undefined) return withHistory(ended, historyLength);
    const stored = await this.#lookup.find(access, id);
    if (stored !== undefined) return this.#show(stored, call, historyLength);
    if (call.version === "1.0") throw taskNotFound(id);
    // Some callers before 1.0 get a task by the id of a message in it.
    const found = await this.#lookup.findByMessage(access.owner, id);
    if (found !== undefined) return this.#show(found, call, historyLength);
    const reply = await this.#lookup.findReply(access.owner, id);
    if (reply === undefined) throw taskNotFound(id);
    return withHistory(reply.task, historyLength);
  }

  async #show(stored: StoredTask, call: CallContext, historyLength?: number): Promise<Task> {
    if (isLarge(stored)) {
      const large = await this.#largeTasks.load(stored.record, call);
      return answerWith(large, call, historyLength);
    }
    const task = (await foldStored(this.#environment, stored)).task();
    this.#endedTasks.keep(stored.record, task);
    return withHistory(task, historyLength);
  }

  async listTasks(
    request: RequestOf<"listTasks">,
    call: CallContext,
  ): Promise<ResultOf<"listTasks">> {
    const source = {
      environment: this.#environment,
      agent: this.#agent.name,
      pageTokens: this.#pageTokens,
      largeReads: this.#largeReads,
    };
    return listTasks(source, request, call);
  }

  async cancelTask(
    { id }: RequestOf<"cancelTask">,
    call: CallContext,
  ): Promise<ResultOf<"cancelTask">> {
    const record = await this.#reach(id, call);
    if (isTerminal(record.state)) throw notCancelable(id, record.state);
    const handle = await this.#open(record);
    try {
      const snapshot = await cancelTask(this.#environment, handle.live);
      return await this.#answer(handle.live, snapshot, call);
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
    const operation = "subscribeToTask";
    const record = await this.#reach(id, call);
    const isOver = isTerminal(record.state);
    const resumes = call.resumeAfter !== undefined && call.resumeAfter <= record.sequence;
    // Before 1.0, subscribing to an ended task returns the task. Resuming works in every version.
    if (!resumes && call.version === "1.0" && isOver) {
      const message = `task ${id} has ended; get it instead of subscribing to it`;
      throw new A2AError("UNSUPPORTED_OPERATION", message, {
        details: { metadata: { taskId: id } },
      });
    }
    const isLarge = !resumes && record.bytes > largeBytes;
    let large: Held<LargeSnapshot> | undefined;
    if (isLarge) large = await this.#largeTasks.load(record, call);
    try {
      const handle = await this.#open(record);
      // A stream of 0.1 ends with a final status, even if the watcher has seen it.
      const isAtEnd = isOver && call.resumeAfter === record.sequence && call.version === "0.1";
      const seen = isAtEnd ? record.sequence - 1 : call.resumeAfter;
      const start = large?.value ?? resumeAfter(handle.live, seen);
      const watcher = new Watcher(handle, { operation, start, signal, large });
      if (record.bytes > largeBytes) handle.live.slim();
      return watcher;
    } catch (error) {
      large?.release();
      throw error;
    }
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
    const { capabilities, extendedCard } = this.#agent;
    if (capabilities.extendedAgentCard !== true) {
      throw new A2AError("UNSUPPORTED_OPERATION", "this agent has no extended card");
    }
    if (extendedCard === undefined) {
      const message = "this agent declares an extended card but has none configured";
      throw new A2AError("EXTENDED_AGENT_CARD_NOT_CONFIGURED", message);
    }
    const { extendedCardForAnyone } = this.#environment.settings;
    if (call.principal === undefined && !extendedCardForAnyone) {
      throw new A2AError("UNAUTHENTICATED", "the extended card is for authenticated callers");
    }
    return extendedCard(this.#agent.card([]), call);
  }

  callMethod(request: RequestOf<"callMethod">, call: CallContext): Promise<ResultOf<"callMethod">> {
    return this.#methodCalls.call(request, call);
  }

  async createdIn(taskId: string, call: CallContext): Promise<string | undefined> {
    const access = accessOf(call, this.#environment.settings);
    const record = await findTask(this.#environment.store, this.#agent.name, access, taskId);
    if (record !== undefined || call.version === "1.0") return record?.createdIn;
    const found = await this.#lookup.findByMessage(access.owner, taskId);
    if (found !== undefined) return found.record.createdIn;
    return (await this.#lookup.findReply(access.owner, taskId))?.createdIn;
  }

  #send(
    request: RequestOf<"sendMessage">,
    call: CallContext,
    { signal, wait }: { readonly signal: AnySignal | undefined; readonly wait: SendWait },
  ): Sent | Promise<Sent> {
    if (signal?.aborted === true) throw leftEarly();
    const sent = this.#sender.send(request, call, wait);
    if (signal === undefined || !(sent instanceof Promise)) return sent;
    return abandonable(sent, signal, letGo);
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

  /** The record of a task that the caller may read, watch and cancel. */
  #reach(id: string, call: CallContext): Promise<TaskRecord> {
    return this.#record(id, call, accessOf(call, this.#environment.settings));
  }

  /** Opens a task that is at least as new as its record. */
  async #open({ taskId, sequence }: TaskRecord): Promise<LiveHandle> {
    const handle = await this.#environment.liveTasks.open(taskId);
    if (handle === undefined) throw taskNotFound(publicTaskId(taskId));
    try {
      if (handle.live.replica.sequence < sequence) await handle.live.refresh();
      return handle;
    } catch (error) {
      handle.release();
      throw error;
    }
  }
}

function letGo(late: Sent): void {
  if ("handle" in late) late.handle.release();
}
