import { KeyedLock } from "../../async/internal.js";
import { A2AError, describeState, isTerminal } from "../../protocol/internal.js";
import type {
  CallContext,
  Message,
  SendMessageRequest,
  TaskState,
} from "../../protocol/internal.js";
import { limitsUsage } from "../../store/internal.js";
import type { IdempotencyClaim, StoreLimits, Scope, TaskRecord } from "../../store/internal.js";
import type { Agent } from "../author/agent.js";
import type { LiveTask } from "../log/live-task.js";
import type { LiveHandle } from "../log/live-tasks.js";
import { clientTaskKey } from "../log/task-identity.js";
import type { Snapshot } from "../log/task-replica.js";
import { weigh } from "../../store/internal.js";
import { isConflict } from "../log/write.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Birth } from "../run/writer/birth.js";
import { describeCall } from "../run/call-record.js";
import { placeMessage } from "../run/place-message.js";
import type { Activation } from "../run/activation.js";
import type { Decision } from "../run/decision.js";
import type { Runner } from "../run/runner.js";
import { shareOf } from "../shares/share.js";
import { findTask, isUnknownOwner, scopeOf, taskNotFound } from "./access.js";
import type { Admission } from "./admission.js";
import { deliverMessage } from "./deliver-message.js";
import { claimOf, findRepeated, freeExpiredKey, repeatableKeyOf } from "./idempotency.js";
import { keepReply } from "./kept-replies.js";
import type { PushConfigs } from "./push-configs.js";
import { checkQuota, limitsOf } from "./quota.js";
import { takeCredentials } from "./take-credentials.js";
import type { TakenCredentials } from "./take-credentials.js";

/** The result of a send, before the caller waits for the task. */
export type Sent =
  | { readonly reply: Message }
  | {
      readonly handle: LiveHandle;
      /** The send created this task. */
      readonly isNew?: boolean;
      /** The task right after the message was added, before a run has answered it. */
      readonly received?: Snapshot;
    };

/** How the caller of a send waits for its answer. */
export interface SendWait {
  /** The caller reads a stream. */
  readonly isStreaming: boolean;
  /** When the caller gets the task as it is; absent where it waits on. */
  readonly until?: number | undefined;
}

/** One call that sends a message. */
interface Sending {
  readonly request: SendMessageRequest;
  readonly credentials: TakenCredentials["credentials"] | undefined;
  readonly call: CallContext;
  readonly wait: SendWait;
  readonly idempotency?: IdempotencyClaim;
}

/** Performs the send operations: starts runs, continues tasks, and recognizes repeated calls. */
export class Sender {
  readonly #environment: RunEnvironment;
  readonly #agent: Agent;
  readonly #runner: Runner;
  readonly #pushConfigs: PushConfigs;
  readonly #admission: Admission;
  readonly #limits: StoreLimits;
  /** Whether callers may keep so much and no more. */
  readonly #hasQuota: boolean;
  /** Serializes calls with the same idempotency key, and calls that create a task with the same chosen id. */
  readonly #lock = new KeyedLock();

  constructor(parts: {
    readonly environment: RunEnvironment;
    readonly agent: Agent;
    readonly runner: Runner;
    readonly pushConfigs: PushConfigs;
    readonly admission: Admission;
  }) {
    this.#environment = parts.environment;
    this.#agent = parts.agent;
    this.#runner = parts.runner;
    this.#pushConfigs = parts.pushConfigs;
    this.#admission = parts.admission;
    this.#limits = limitsOf(parts.environment.settings);
    this.#hasQuota = limitsUsage(this.#limits);
  }

  /** Sends a message. Without a promise where the agent has its reply at hand, and nothing is stored or looked up. */
  send(sent: SendMessageRequest, call: CallContext, wait: SendWait): Sent | Promise<Sent> {
    const { request, credentials } = takeCredentials(sent);
    const sending = { request, credentials, call, wait };
    const pushConfig = request.configuration?.taskPushNotificationConfig;
    this.#runner.check();
    this.#admission.checkMediaTypes(request.message);
    this.#pushConfigs.check(pushConfig);
    this.#checkSize(request.message);
    if (pushConfig === undefined) return this.#admitted(sending);
    const place = "configuration.taskPushNotificationConfig";
    return this.#pushConfigs.admit(pushConfig, place).then(() => this.#admitted(sending));
  }

  #admitted(sending: Sending): Sent | Promise<Sent> {
    const { request, call } = sending;
    const key = repeatableKeyOf(request, call, this.#environment.settings);
    if (key === undefined) return this.#dispatch(sending);
    const { tenant, subject } = this.#scopeOf(call);
    return this.#lock.run(JSON.stringify([tenant, subject, key]), async () => {
      const idempotency = await claimOf(this.#environment, request, {
        key,
        dialect: call.dialect,
      });
      return this.#sendOnce({ ...sending, idempotency });
    });
  }

  async #sendOnce(sending: Sending & { readonly idempotency: IdempotencyClaim }): Promise<Sent> {
    const { call, idempotency } = sending;
    const scope = this.#scopeOf(call);
    const repeated = await findRepeated(this.#environment, scope, idempotency);
    if (repeated !== undefined) return repeated;
    await freeExpiredKey(this.#environment, scope, idempotency);
    try {
      return await this.#dispatch(sending);
    } catch (error) {
      // Another node may have used the key first.
      const winner = isConflict(error)
        ? await findRepeated(this.#environment, scope, idempotency)
        : undefined;
      if (winner === undefined) throw error;
      return winner;
    }
  }

  #dispatch(sending: Sending): Sent | Promise<Sent> {
    const { taskId } = sending.request.message;
    if (taskId === undefined) return this.#begin(sending, this.#environment.newId());
    return this.#findAndContinue(sending, taskId);
  }

  /** A caller of 0.1 that names an unknown task creates it with that id. In other versions that is an error. */
  async #findAndContinue(sending: Sending, taskId: string): Promise<Sent> {
    const { call } = sending;
    const owner = this.#scopeOf(call);
    const find = (): Promise<TaskRecord | undefined> =>
      findTask(this.#environment.store, this.#agent.name, { owner }, taskId);
    const record = await find();
    if (record !== undefined) return this.#continueTask(record, sending);
    if (call.version !== "0.1") throw taskNotFound(taskId);
    return this.#lock.run(`task:${clientTaskKey(owner, taskId)}`, async () => {
      const made = await find();
      if (made !== undefined) return this.#continueTask(made, sending);
      try {
        return await this.#begin(sending, taskId);
      } catch (error) {
        // Another node may have created the task first.
        const theirs = isConflict(error) ? await find() : undefined;
        if (theirs === undefined) throw error;
        return this.#continueTask(theirs, sending);
      }
    });
  }

  /** Starts a run for a message without a task. `taskId` is the id of the task, should the run create one. */
  #begin(sending: Sending, taskId: string): Sent | Promise<Sent> {
    const scope = this.#scopeOf(sending.call);
    if (!this.#hasQuota) return this.#start(sending, taskId, scope);
    const checked = checkQuota(this.#environment, scope, this.#limits, "task");
    return checked.then(() => this.#start(sending, taskId, scope));
  }

  #start(sending: Sending, taskId: string, scope: Scope): Sent | Promise<Sent> {
    const { request, call, idempotency, credentials } = sending;
    const isChosen = request.message.taskId !== undefined;
    const contextId = request.message.contextId ?? this.#environment.newId();
    const identity = {
      taskId: isChosen ? clientTaskKey(scope, taskId) : taskId,
      publicId: taskId,
      owner: { tenant: scope.tenant, subject: scope.subject },
      agent: scope.agent,
      contextId,
      createdIn: call.dialect ?? call.version,
    };
    const config = request.configuration?.taskPushNotificationConfig;
    const pushConfig = config && this.#pushConfigs.recordOf(identity, config, call);
    const limits = this.#limitsOn(pushConfig);
    const birth: Birth = {
      identity,
      message: placeMessage(request.message, taskId, contextId),
      call: describeCall(call, request),
      keepsTransitions: this.#agent.capabilities.stateTransitionHistory === true,
      ...(idempotency !== undefined && { idempotency }),
      ...(pushConfig !== undefined && { pushConfig }),
      ...(limits !== undefined && { limits }),
    };
    const run = this.#runner.startNew(birth, {
      share: shareOf(call),
      isTask: isChosen,
      trace: call.trace,
      isAwaited: sending.wait.isStreaming || !(request.configuration?.returnImmediately ?? false),
      ...(credentials !== undefined && { credentials }),
    });
    const decision = this.#decision(run, sending);
    if (!(decision instanceof Promise)) return this.#answer(decision, scope, sending);
    return decision.then((made) => this.#answer(made, scope, sending));
  }

  #answer(decision: Decision, scope: Scope, sending: Sending): Sent | Promise<Sent> {
    if ("taskKey" in decision) {
      return this.#open(decision.taskKey).then((handle) => ({ handle, isNew: true }));
    }
    const isKept = sending.idempotency !== undefined || sending.call.version !== "1.0";
    return isKept ? this.#keepReply(decision.reply, scope, sending) : decision;
  }

  /** Stores a reply that the caller can ask for again before returning it. */
  async #keepReply(
    reply: Message,
    scope: Scope,
    { request: { message: request }, call, idempotency }: Sending,
  ): Promise<Sent> {
    const limits = this.#limits;
    if (idempotency !== undefined) {
      await this.#environment.store.saveReply(scope, idempotency, reply, limits);
    }
    // An owner that many callers share never gets a reply back.
    if (call.version !== "1.0" && !isUnknownOwner(scope, this.#environment.settings)) {
      await keepReply(this.#environment, scope, { reply, request, call }, limits);
    }
    return { reply };
  }

  #decision(run: Activation, { request, wait }: Sending): Decision | Promise<Decision> {
    const { decided } = run;
    if (!(decided instanceof Promise)) return decided;
    const { clock, settings } = this.#environment;
    const { returnImmediately = false } = request.configuration ?? {};
    const { isStreaming, until } = wait;
    if (until !== undefined) return this.#hurry(run, until - clock.now());
    if (!returnImmediately && !isStreaming) return decided;
    // A caller that does not wait for the answer sees at once that its run is queued.
    if (run.isQueued) void run.decide();
    return returnImmediately ? this.#hurry(run, settings.decisionMs) : decided;
  }

  /** Gives the agent some time for a direct reply, then creates a task. */
  async #hurry(run: Activation, ms: number): Promise<Decision> {
    const cancel = this.#environment.clock.after(ms, () => void run.decide());
    try {
      return await run.decided;
    } finally {
      cancel();
    }
  }

  async #continueTask(record: TaskRecord, sending: Sending): Promise<Sent> {
    const { contextId } = sending.request.message;
    if (contextId !== undefined && contextId !== record.contextId) {
      const description = "expected the contextId of the task, or none";
      throw new A2AError("INVALID_PARAMS", `message.contextId: ${description}`, {
        details: { fieldViolations: [{ field: "message.contextId", description }] },
      });
    }
    const handle = await this.#open(record.taskId);
    try {
      const { live } = handle;
      if (isTerminal(record.state)) throw ended(live, record.state);
      if (this.#hasQuota) {
        const scope = { ...record.owner, agent: record.agent };
        await checkQuota(this.#environment, scope, this.#limits, "part");
      }
      return { handle, received: await this.#deliver(live, record, sending) };
    } catch (error) {
      handle.release();
      throw error;
    }
  }

  /**
   * Adds a message to a task: for the run at work, or, if the task waits for its caller, as the answer that lets it
   * go on.
   */
  async #deliver(live: LiveTask, record: TaskRecord, sending: Sending): Promise<Snapshot> {
    const { request, call, credentials } = sending;
    const { publicId: taskId, contextId } = live.identity;
    const message = placeMessage(request.message, taskId, contextId);
    const config = request.configuration?.taskPushNotificationConfig;
    const pushConfig = config && this.#pushConfigs.recordOf(live.identity, config, call);
    const delivery = {
      message,
      call: describeCall(call, request),
      share: shareOf(call),
      idempotency: sending.idempotency,
      pushConfig,
      limits: this.#limitsOn(pushConfig),
      credentials,
      check: (state: TaskState) => {
        if (isTerminal(state)) throw ended(live, state);
        this.#checkTaskSize(live, message);
      },
    };
    return deliverMessage(
      { environment: this.#environment, runner: this.#runner },
      live,
      record,
      delivery,
    );
  }

  /** What limits a write that may bring a push configuration; `undefined` when nothing does, which is faster. */
  #limitsOn(pushConfig: object | undefined): StoreLimits | undefined {
    return pushConfig !== undefined || this.#hasQuota ? this.#limits : undefined;
  }

  #scopeOf(call: CallContext): Scope {
    return scopeOf(call, this.#agent.name);
  }

  async #open(key: string): Promise<LiveHandle> {
    const handle = await this.#environment.liveTasks.open(key);
    if (handle === undefined) throw taskNotFound(key);
    return handle;
  }

  #checkSize(message: Message): void {
    const { maxEventBytes } = this.#environment.settings;
    if (weigh(message) <= maxEventBytes) return;
    const description = `expected at most ${maxEventBytes} bytes`;
    throw new A2AError("REQUEST_TOO_LARGE", `message: ${description}`, {
      details: { fieldViolations: [{ field: "message", description }] },
    });
  }

  #checkTaskSize(live: LiveTask, message: Message): void {
    const { maxTaskBytes } = this.#environment.settings;
    if (live.replica.bytes + weigh(message) <= maxTaskBytes) return;
    const { publicId } = live.identity;
    const reason = `task ${publicId} takes no more messages: it would exceed ${maxTaskBytes} bytes`;
    throw new A2AError("RESOURCE_EXHAUSTED", reason, {
      details: { metadata: { taskId: publicId } },
    });
  }
}

function ended({ identity: { publicId } }: LiveTask, state: TaskState): A2AError {
  const taskState = describeState(state);
  const message = `task ${publicId} is ${taskState}; it takes no more messages`;
  return new A2AError("UNSUPPORTED_OPERATION", message, {
    details: { metadata: { taskId: publicId, taskState } },
  });
}
