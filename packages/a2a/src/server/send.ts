import { A2AError, describeState, isInterrupted, isTerminal } from "../protocol/index.js";
import type {
  CallContext,
  Message,
  SendMessageRequest,
  TaskPushNotificationConfig,
  TaskState,
} from "../protocol/index.js";
import type { TaskRecord } from "../store/index.js";
import { findTask, ownerOf, taskNotFound } from "./access.js";
import type { Admission } from "./admission.js";
import type { Agent } from "./agent.js";
import { timestampOf } from "./clock.js";
import { createDeferred } from "./deferred.js";
import { claimOf, findRepeated, rememberReply } from "./idempotency.js";
import type { Draft } from "./live-task.js";
import type { LiveHandle } from "./live-tasks.js";
import type { PushConfigs } from "./push-configs.js";
import type { RunEnvironment } from "./run-environment.js";
import type { Decision, Run } from "./run.js";
import type { Runner, TaskPlan } from "./runner.js";
import { clientTaskKey } from "./task-key.js";
import { leftEarly } from "./watch.js";

/** What a send came to, before its caller waits for anything. */
export type Sent = Decision & {
  /** The send made this task. */
  readonly isNew?: boolean;
};

/** Takes messages in: starts runs, continues tasks, and recognises repeated calls. */
export class Sender {
  readonly #environment: RunEnvironment;
  readonly #agent: Agent;
  readonly #runner: Runner;
  readonly #pushConfigs: PushConfigs;
  readonly #admission: Admission;
  readonly #underWay = new Map<string, Promise<Sent>>();

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
  }

  /** The end of the call ends its wait and nothing else: what was sent goes its way. */
  async send(request: SendMessageRequest, call: CallContext): Promise<Sent> {
    const { signal } = call;
    if (signal?.aborted === true) throw leftEarly();
    const sending = this.#send(request, call);
    if (signal === undefined) return sending;
    const left = createDeferred<never>();
    const leave = (): void => left.reject(leftEarly());
    signal.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([sending, left.promise]);
    } catch (error) {
      sending.then(release, () => undefined);
      throw error;
    } finally {
      signal.removeEventListener("abort", leave);
    }
  }

  async #send(request: SendMessageRequest, call: CallContext): Promise<Sent> {
    this.#admission.checkMediaTypes(request.message);
    this.#pushConfigs.check(request.configuration?.taskPushNotificationConfig);
    const claim = await claimOf(this.#environment, request, call);
    if (claim === undefined) return this.#dispatch(request, call, undefined);
    const { tenant, subject } = ownerOf(call);
    const slot = JSON.stringify([tenant, subject, claim.key]);
    const first = this.#underWay.get(slot);
    if (first !== undefined) await first.catch(() => undefined);
    const repeated = await findRepeated(this.#environment, ownerOf(call), claim);
    if (repeated !== undefined) return repeated;
    const sending = this.#dispatch(request, call, claim).catch(async (error: unknown) => {
      // Another node may have been faster with the same key.
      const winner = isConflict(error)
        ? await findRepeated(this.#environment, ownerOf(call), claim)
        : undefined;
      if (winner === undefined) throw error;
      return winner;
    });
    this.#underWay.set(slot, sending);
    try {
      return await sending;
    } finally {
      if (this.#underWay.get(slot) === sending) this.#underWay.delete(slot);
    }
  }

  async #dispatch(
    request: SendMessageRequest,
    call: CallContext,
    idempotency: TaskPlan["idempotency"],
  ): Promise<Sent> {
    const { message } = request;
    const owner = ownerOf(call);
    const record =
      message.taskId === undefined
        ? undefined
        : await findTask(this.#environment.store, this.#agent.name, owner, message.taskId);
    if (record !== undefined) return this.#continueTask(record, request);
    const isChosen = message.taskId !== undefined && call.version === "0.1";
    if (message.taskId !== undefined && !isChosen) throw taskNotFound(message.taskId);
    this.#runner.check();
    const taskId = message.taskId ?? this.#environment.newId();
    const run = this.#runner.startNew({
      key: isChosen ? clientTaskKey(owner, taskId) : taskId,
      taskId,
      contextId: message.contextId ?? this.#environment.newId(),
      owner,
      origin: call.dialect ?? call.version,
      request,
      call,
      ...(idempotency !== undefined && { idempotency }),
    });
    const decision = await this.#decision(run, request);
    if ("reply" in decision) {
      if (idempotency !== undefined) {
        await rememberReply(this.#environment, owner, idempotency, decision.reply);
      }
      return decision;
    }
    const handle = await this.#ownHandle(decision.handle);
    await this.#savePushConfig(handle, request.configuration?.taskPushNotificationConfig, call);
    return { handle, isNew: true };
  }

  /** A caller that does not want to wait gives the agent a moment to answer directly. */
  async #decision(run: Run, request: SendMessageRequest): Promise<Decision> {
    if (request.configuration?.returnImmediately !== true) return run.decided;
    const { clock, settings } = this.#environment;
    const cancel = clock.after(settings.decisionMs, () => void run.decide().catch(() => undefined));
    try {
      return await run.decided;
    } finally {
      cancel();
    }
  }

  async #continueTask(record: TaskRecord, request: SendMessageRequest): Promise<Sent> {
    const { message } = request;
    if (message.contextId !== undefined && message.contextId !== record.contextId) {
      const description = "expected the context of the task, or none";
      throw new A2AError("INVALID_PARAMS", `message.contextId: ${description}`, {
        details: { fieldViolations: [{ field: "message.contextId", description }] },
      });
    }
    const handle = await this.#environment.lives.open(record.taskId);
    if (handle === undefined) throw taskNotFound(message.taskId ?? record.taskId);
    const { publicId: taskId, contextId } = handle.live.origin;
    try {
      await this.#deliver(handle, { ...message, taskId, contextId });
    } catch (error) {
      handle.release();
      throw error;
    }
    return { handle };
  }

  /** To the run at work, or, when the task waits for it, to the run that goes on with it. */
  async #deliver(handle: LiveHandle, message: Message): Promise<void> {
    const { live } = handle;
    const messageIds = [message.messageId];
    const added = { kind: "message-added", message } as const;
    for (;;) {
      if (isTerminal(live.state)) throw ended(handle);
      if (isInterrupted(live.state)) {
        if (await this.#wake(handle, message)) return;
        continue;
      }
      let isTaken = true;
      await live.write((state) => {
        if (isTerminal(state)) throw ended(handle);
        isTaken = !isInterrupted(state);
        return isTaken ? { events: [added], messageIds } : undefined;
      });
      if (isTaken) return;
    }
  }

  /** False when somebody else woke the task first. */
  async #wake(handle: LiveHandle, message: Message): Promise<boolean> {
    const { store, node, clock } = this.#environment;
    const { live } = handle;
    this.#runner.check();
    const epoch = await store.claim({ taskId: live.origin.taskId, node, epoch: live.epoch });
    if (epoch === undefined) {
      await live.refresh();
      return false;
    }
    live.adopt(epoch);
    const timestamp = timestampOf(clock.now());
    let isWoken = true;
    const build = (state: TaskState): Draft | undefined => {
      isWoken = isInterrupted(state);
      if (!isWoken) return undefined;
      return {
        events: [
          { kind: "message-added", message },
          { kind: "status-changed", status: { state: "TASK_STATE_WORKING", timestamp } },
        ],
        node,
        messageIds: [message.messageId],
      };
    };
    try {
      await live.write(build);
    } catch (error) {
      // It may be stored nevertheless, and then somebody has to work on it.
      this.#runner.addOrphan(live.origin.taskId);
      throw error;
    }
    if (!isWoken) return false;
    await this.#runner.startAgain(await this.#ownHandle(handle));
    return true;
  }

  /** A handle of one's own on a task that is in memory already. */
  async #ownHandle({ live }: LiveHandle): Promise<LiveHandle> {
    const handle = await this.#environment.lives.open(live.origin.taskId);
    if (handle === undefined) throw taskNotFound(live.origin.publicId);
    return handle;
  }

  async #savePushConfig(
    { live }: LiveHandle,
    config: TaskPushNotificationConfig | undefined,
    call: CallContext,
  ): Promise<void> {
    if (config !== undefined) await this.#pushConfigs.save(live.origin, config, call);
  }
}

/** Nobody waits for it any more. */
function release(sent: Sent): void {
  if ("handle" in sent) sent.handle.release();
}

function isConflict(error: unknown): boolean {
  return A2AError.is(error) && error.code === "CONCURRENT_MODIFICATION";
}

function ended({ live }: LiveHandle): A2AError {
  const { publicId } = live.origin;
  const message = `task ${publicId} is ${describeState(live.state)}; it takes no more messages`;
  return new A2AError("UNSUPPORTED_OPERATION", message, {
    details: { metadata: { taskId: publicId, taskState: describeState(live.state) } },
  });
}
