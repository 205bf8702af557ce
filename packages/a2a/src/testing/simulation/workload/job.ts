import { isInterrupted, isTerminal, textOf } from "../../../protocol/internal.js";
import type {
  CallContext,
  Message,
  SendMessageRequest,
  StreamEvent,
  Task,
  TaskState,
} from "../../../protocol/internal.js";
import type { Runtime } from "../../../server/internal.js";
import { digestTask, hashEvent } from "../../history/digest.js";
import type { Owner } from "../engine/scheduler.js";
import type { OpenStream } from "../world/recorder.js";
import type { World } from "../world/world.js";
import { listAll } from "./list-all.js";
import type { Network, Streamed } from "./network.js";
import { drawPlan, planText } from "./plan.js";
import type { Plan } from "./plan.js";
import { settleCall } from "./settle-call.js";

/** How often a caller sends a message that it may repeat. */
const maxTries = 40;
/** How many messages a caller sends to a task beside its answers. */
const maxFollowUps = 8;
const second = 1_000_000;

/** One caller with one task, from its first message to the end of the task. */
export class Job implements Owner {
  readonly name: string;
  readonly isGone = false;
  readonly pausedUntil = 0;
  /** What the job waits for, in words for those who wonder why it does not end. */
  waitsFor = "its turn";
  isDone = false;
  readonly #world: World;
  readonly #network: Network;
  readonly #plan: Plan;
  readonly #subject: string;
  #messages = 0;
  #isTalkative = false;
  #taskId: string | undefined;
  #state: TaskState | undefined;
  /** The task is gone. */
  #isMissing = false;
  /** The state of the task as each stream has told it. */
  readonly #states = new Map<OpenStream, TaskState>();
  /** The questions that were answered: by their words, or by failover and id where one has lost entries of the task. */
  readonly #answered = new Set<string>();
  /** Everyone who acts for this caller at the moment. */
  #actors = 0;

  constructor(world: World, network: Network, number: number) {
    this.#world = world;
    this.#network = network;
    this.name = `c${number}`;
    this.#subject = `user${number % 3}`;
    this.#plan = drawPlan(world.choices, this.name);
  }

  get taskId(): string | undefined {
    return this.#taskId;
  }

  /** Begins after a while; `isDone` when it is over. */
  begin(spreadMs: number): void {
    const { scheduler, choices } = this.#world;
    const afterUs = (choices.choose(`${this.name}/begin`, 64) * spreadMs * 1000) / 64;
    scheduler.after(afterUs, this, () => this.#act(this.#live()));
  }

  #act(work: Promise<void>): void {
    this.#actors += 1;
    work
      .catch((error: unknown) => this.#world.problem(`${this.name} failed: ${String(error)}`))
      .finally(() => {
        this.#actors -= 1;
        this.isDone = this.#actors === 0;
      });
  }

  async #live(): Promise<void> {
    const { choices, recorder } = this.#world;
    const way = choices.choose(`${this.name}/way`, 3);
    const stream = recorder.stream(this.name);
    if (way === 2) await this.#streamFirst(stream);
    // A handler that awaits a message gets none while its caller waits.
    else await this.#sendFirst(way === 1 || this.#plan.includes("n"));
    if (this.#taskId !== undefined) return this.#watch(stream);
    stream.outcome = "left";
    this.waitsFor = "nothing: it has no task";
  }

  /** The caller knows its task, and does more with it than to watch. */
  #know(taskId: string): void {
    const { choices } = this.#world;
    if (this.#taskId !== undefined) return;
    this.#taskId = taskId;
    this.#isTalkative = this.#plan.includes("n") || choices.chance(`${this.name}/chats`, 4);
    if (this.#isTalkative) this.#act(this.#chat());
    if (choices.chance(`${this.name}/cancels`, 8)) this.#act(this.#cancelLater());
    if (choices.chance(`${this.name}/looks`, 3)) this.#act(this.#look());
    if (choices.chance(`${this.name}/configures`, 6)) this.#act(this.#configure());
    if (choices.chance(`${this.name}/watches`, 6)) this.#act(this.#watchToo());
  }

  async #sendFirst(isImmediate: boolean): Promise<void> {
    const hasKey = !this.#world.choices.chance(`${this.name}/keyless`, 4);
    const push = this.#world.choices.chance(`${this.name}/push`, 3);
    const url = `https://${this.name}.example/hook`;
    const configuration = {
      returnImmediately: isImmediate,
      ...(push && { taskPushNotificationConfig: { id: `p-${this.name}`, url } }),
    };
    const message = this.#message(planText(this.#plan));
    const value = await this.#send({ message, configuration }, hasKey);
    if (value === undefined) return;
    this.#know(value.id);
    this.#see(value.status.state);
  }

  /** Sends a message until an answer comes, if it has a key; else once. The task, if it led to one. */
  async #send(request: SendMessageRequest, hasKey: boolean): Promise<Task | undefined> {
    const { messageId } = request.message;
    const key = hasKey ? `k-${messageId}` : undefined;
    for (let tries = 0; tries < (hasKey ? maxTries : 1); tries += 1) {
      this.waitsFor = `an answer to ${messageId}`;
      const taskId = request.message.taskId;
      this.#world.met(tries === 0 ? "send" : "send-again", taskId);
      const call = this.#world.recorder.call({
        operation: "send",
        messageId,
        ...(key !== undefined && { key }),
        ...(taskId !== undefined && { taskId }),
      });
      const reply = await this.#network.call(this, `${this.name}/send`, (runtime, signal) =>
        runtime.sendMessage(request, this.#context({ signal, key })),
      );
      settleCall(this.#world, call, reply);
      if (reply.outcome === "answered") {
        const { task } = reply.value;
        if (task !== undefined) {
          call.taskId = task.id;
          call.digest = digestTask(task);
        }
        return task;
      }
      if (reply.outcome === "refused" && !reply.error.startsWith("no node")) return undefined;
      await this.#pause(second / 2);
    }
    return undefined;
  }

  /** The first message as a stream, which is not repeated. */
  async #streamFirst(stream: OpenStream): Promise<void> {
    this.waitsFor = "the first event of its stream";
    const message = this.#message(planText(this.#plan));
    const call = this.#world.recorder.call({ operation: "send", messageId: message.messageId });
    const last = await this.#read(stream, "send", (runtime, signal) =>
      runtime.sendStreamingMessage({ message }, this.#context({ signal })),
    );
    call.endedAt = this.#world.nowMs;
    call.outcome = this.#taskId !== undefined || last === "replied" ? "answered" : "unknown";
    if (this.#taskId !== undefined) call.taskId = this.#taskId;
  }

  /** Watches the task until it has ended, over any number of connections. */
  async #watch(stream: OpenStream): Promise<void> {
    const { choices } = this.#world;
    const id = this.#taskId ?? "";
    stream.taskId = id;
    for (;;) {
      let state = this.#states.get(stream);
      if (state !== undefined && isTerminal(state)) break;
      this.waitsFor = `the end of ${id}, which is ${state ?? "unknown"}`;
      const known = stream.events.findLast((event) => event.id !== undefined)?.id;
      const byId = known !== undefined && !choices.chance(`${this.name}/forgets`, 4);
      this.#world.met(byId ? "resume" : "subscribe", id);
      const end = await this.#read(stream, "watch", (runtime, signal) =>
        runtime.subscribeToTask(
          { id },
          { ...this.#context({ signal }), ...(byId && { resumeAfter: known }) },
        ),
      );
      if (end === "refused") {
        // A task that has ended is not watched any more.
        const task = await this.#get();
        if (task !== undefined) state = task.status.state;
        if (this.#isMissing || (state !== undefined && isTerminal(state))) break;
      }
      await this.#pause(second / 4);
    }
    stream.outcome = "ended";
    this.waitsFor = "nothing";
  }

  /** A second watcher of the same task, from elsewhere. */
  async #watchToo(): Promise<void> {
    await this.#pause(this.#drawUs("watches/when", 6));
    const stream = this.#world.recorder.stream(`${this.name}-too`);
    await this.#watch(stream);
  }

  /** Reads one connection to its end. */
  #read(
    stream: OpenStream,
    what: string,
    invoke: (runtime: Runtime, signal: AbortSignal) => AsyncIterable<StreamEvent>,
  ): Promise<"complete" | "refused" | "cut" | "left" | "replied"> {
    return new Promise((resolve) => {
      const { faults } = this.#world;
      let hasReply = false;
      const leave = this.#network.stream(this, `${this.name}/${what}`, {
        invoke,
        tell: (streamed: Streamed) => {
          if ("end" in streamed) return resolve(hasReply ? "replied" : streamed.end);
          const { event } = streamed;
          hasReply ||= event.response.message !== undefined;
          this.#take(stream, event);
          if (!faults.hits("leave", `${this.name}/${what}`)) return;
          this.#world.taskFaulted("leave", this.#taskId);
          leave();
          resolve("left");
        },
      });
    });
  }

  #take(stream: OpenStream, { response, sequence }: StreamEvent): void {
    const { task, message, statusUpdate } = response;
    if (message !== undefined) return;
    if (task !== undefined) this.#know(task.id);
    if (this.#taskId !== undefined) stream.taskId ??= this.#taskId;
    stream.events.push({
      at: this.#world.nowMs,
      hash: hashEvent(response),
      ...(sequence !== undefined && { id: sequence }),
      ...(task !== undefined && { isTask: true }),
    });
    const status = task?.status ?? statusUpdate?.status;
    if (status === undefined) return;
    this.#states.set(stream, status.state);
    this.#see(status.state);
    if (isInterrupted(status.state) && status.message !== undefined) this.#asked(status.message);
  }

  /**
   * Answers each question once. Where a failover has lost entries of the task, the question may be asked anew, and its
   * answer may be lost. Where the caller says other things too, one of those may be taken for the answer.
   */
  #asked(question: Message): void {
    const asked = textOf(question);
    const { failovers } = this.#world;
    const hasLost = this.#world.hasLost(this.#taskId ?? "");
    const key = hasLost ? `${failovers} ${question.messageId}` : asked;
    if (this.#answered.has(key)) return;
    this.#answered.add(key);
    const text = this.#isTalkative ? `something about ${asked}` : `answer to ${asked}`;
    this.#act(this.#answer(text));
  }

  async #answer(text: string): Promise<void> {
    await this.#pause(this.#drawUs("thinks", 4));
    await this.#send({ message: this.#message(text), ...immediately }, true);
    if (this.#world.faults.has("failover")) await this.#insist();
  }

  /** A failover may lose an answer without anybody else having seen it: looks until no more faults happen, and answers again. */
  async #insist(): Promise<void> {
    for (let isCertain = false; !isCertain && !this.#hasEnded;) {
      await this.#pause(2 * second);
      const isCalm = this.#world.faults.isCalm;
      const status = (await this.#get())?.status;
      isCertain = isCalm && status !== undefined;
      if (status?.message !== undefined && isInterrupted(status.state)) this.#asked(status.message);
    }
  }

  async #get(): Promise<Task | undefined> {
    const id = this.#taskId ?? "";
    this.#world.met("get", id);
    const call = this.#world.recorder.call({ operation: "get", taskId: id });
    const reply = await this.#network.call(this, `${this.name}/get`, (runtime, signal) =>
      runtime.getTask({ id }, this.#context({ signal })),
    );
    settleCall(this.#world, call, reply);
    if (reply.outcome !== "answered") {
      if (reply.error.startsWith("TASK_NOT_FOUND")) this.#miss(id);
      return undefined;
    }
    call.digest = digestTask(reply.value);
    this.#see(reply.value.status.state);
    return reply.value;
  }

  /** The task that the caller was told of is not there. */
  #miss(taskId: string): void {
    this.#isMissing = true;
    if (this.#world.mayBeMissing(taskId)) return;
    this.#world.problem(`${this.name} does not find ${taskId}`);
  }

  async #cancelLater(): Promise<void> {
    await this.#pause(this.#drawUs("cancels/when", 12));
    const id = this.#taskId ?? "";
    // Whoever gives up after one try does not mend what the try has left behind.
    const most = this.#world.choices.chance(`${this.name}/cancels/once`, 2) ? 1 : maxTries;
    for (let tries = 0; tries < most && !this.#hasEnded; tries += 1) {
      this.#world.met("cancel", id);
      const call = this.#world.recorder.call({ operation: "cancel", taskId: id });
      const reply = await this.#network.call(this, `${this.name}/cancel`, (runtime, signal) =>
        runtime.cancelTask({ id }, this.#context({ signal })),
      );
      settleCall(this.#world, call, reply);
      if (reply.outcome === "answered") call.digest = digestTask(reply.value);
      if (reply.outcome !== "unknown") return;
      await this.#pause(second / 2);
    }
  }

  /** Sends messages while the task works. */
  async #chat(): Promise<void> {
    const most = this.#plan.includes("n") ? Infinity : maxFollowUps;
    for (let count = 0; count < most && !this.#hasEnded; count += 1) {
      await this.#pause(this.#drawUs("chats/when", 3) + second);
      if (this.#hasEnded) return;
      const isKeyed = this.#world.choices.chance(`${this.name}/chats/keyed`, 2);
      await this.#send({ message: this.#message(`f${count}`), ...immediately }, isKeyed);
    }
  }

  /** Reads the task and lists now and then. */
  async #look(): Promise<void> {
    for (let count = 0; count < 5 && !this.#hasEnded; count += 1) {
      await this.#pause(this.#drawUs("looks/when", 3) + second / 8);
      if (this.#world.choices.chance(`${this.name}/looks/lists`, 3))
        await listAll(this.#network, this, (signal) => this.#context({ signal }));
      else await this.#get();
    }
  }

  async #configure(): Promise<void> {
    await this.#pause(this.#drawUs("configures/when", 4));
    const taskId = this.#taskId ?? "";
    const configId = `late-${this.name}`;
    const url = `https://${this.name}.example/late`;
    for (let tries = 0; tries < 5; tries += 1) {
      this.#world.met("configure-push", taskId);
      const call = this.#world.recorder.call({ operation: "configure", taskId, configId });
      const reply = await this.#network.call(this, `${this.name}/configure`, (runtime, signal) =>
        runtime.createTaskPushNotificationConfig(
          { taskId, id: configId, url },
          this.#context({ signal }),
        ),
      );
      settleCall(this.#world, call, reply);
      if (reply.outcome === "answered") return;
      await this.#pause(second / 2);
    }
  }

  /** Answers may overtake each other, and an end is the end. */
  #see(state: TaskState): void {
    if (!this.#hasEnded) this.#state = state;
  }

  get #hasEnded(): boolean {
    return this.#isMissing || (this.#state !== undefined && isTerminal(this.#state));
  }

  #message(text: string): Message {
    this.#messages += 1;
    return {
      messageId: `m-${this.name}-${this.#messages}`,
      role: "ROLE_USER",
      parts: [{ text }],
      ...(this.#taskId !== undefined && { taskId: this.#taskId }),
    };
  }

  #context({ signal, key }: { signal: AbortSignal; key?: string | undefined }): CallContext {
    const principal = { subject: this.#subject };
    const idempotency = key === undefined ? {} : { idempotencyKey: key };
    return { version: "1.0", principal, signal, ...idempotency };
  }

  #drawUs(key: string, seconds: number): number {
    return (this.#world.choices.choose(`${this.name}/${key}`, 64) * seconds * second) / 64;
  }

  #pause(us: number): Promise<void> {
    return this.#world.scheduler.sleep(us, this);
  }
}

const immediately = { configuration: { returnImmediately: true } } as const;
