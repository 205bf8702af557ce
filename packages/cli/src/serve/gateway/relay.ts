import { A2AError, failureOf, isCanceled, progressOf } from "@parley/a2a";
import type {
  AgentEvent,
  Message,
  Outcome,
  Output,
  Part,
  RemoteAgent,
  RunContext,
  Task,
  TaskStatus,
} from "@parley/a2a";
import { BackendFailure } from "../backend-agent.js";

/** Where the other agent's task stands when it has ended or waits for its caller. */
type Settled = Pick<Task, "status" | "metadata">;

/** The same, or that the task goes on, because it has got another message meanwhile. */
type EndOfTurn = Settled & { readonly goesOn?: true };

/** What the other agent answered first: a task, or all there is. */
type Begun = { readonly taskId: string } | { readonly message: Message };

/**
 * Passes a message on to another agent, and those that follow while it works, and tells what that one tells. A run that is begun again finds the other agent's task by its
 * record, and goes on with it: each message is passed on once.
 */
export async function* relay(
  context: RunContext,
  remote: RemoteAgent,
): AsyncGenerator<Output, Outcome, void> {
  const { signal, step, stream, message } = context;
  const call = new RemoteCall(remote, context);
  let taskId: string | undefined;
  try {
    const begun = await step("send", ({ key }) => call.begin(message, key));
    if ("message" in begun) return [...begun.message.parts];
    ({ taskId } = begun);
    const task = taskId;
    for (let turn = 1; ; turn += 1) {
      yield* stream(`turn ${turn}`, () => call.follow(task), { artifact: "gateway" });
      const settled = await step(`end of turn ${turn}`, () => call.settled(task));
      if (settled.goesOn === true) continue;
      const answer = await next(context, settled, turn);
      if (!("answer" in answer)) return answer.outcome;
      await step(`answer ${turn}`, ({ key }) => call.answer(answer.answer, task, key));
    }
  } catch (cause) {
    if (signal.aborted || !isFailure(cause)) throw cause;
    throw new BackendFailure(`the agent behind this one failed: ${cause.message}`, {
      code: "BACKEND_FAILED",
      cause,
    });
  } finally {
    if (taskId !== undefined && isCanceled(signal.reason)) await call.cancel(taskId);
  }
}

/** The calls of one run. A stream that a step has opened is read on by the next one. */
class RemoteCall {
  readonly #remote: RemoteAgent;
  readonly #context: RunContext;
  #open: AsyncGenerator<AgentEvent, void, void> | undefined;
  #first: AgentEvent | undefined;
  #last: Settled | undefined;
  /** What the other agent has said to messages beside its task. */
  readonly #beside: Output[] = [];

  constructor(remote: RemoteAgent, context: RunContext) {
    this.#remote = remote;
    this.#context = context;
  }

  async begin(message: Message, idempotencyKey: string): Promise<Begun> {
    const { contextId } = this.#context;
    const first = await this.#send(message, { contextId, idempotencyKey });
    if (first.kind === "message") return { message: first.message };
    return { taskId: first.kind === "task" ? first.task.id : first.taskId };
  }

  async answer(message: Message, taskId: string, idempotencyKey: string): Promise<void> {
    await this.#send(message, { taskId, idempotencyKey });
  }

  /** What the other agent tells until its task has ended or waits for its caller. It gets what the caller says meanwhile. */
  async *follow(taskId: string): AsyncGenerator<Output, void, void> {
    const { signal } = this.#context;
    const events = this.#open ?? this.#remote.watch(taskId, { signal, until: "settled" });
    this.#open = undefined;
    this.#last = undefined;
    const turn = new AbortController();
    const listening = this.#listen(taskId, turn.signal);
    listening.catch(() => undefined);
    try {
      if (this.#first !== undefined) yield* this.#tell(this.#first);
      for await (const event of events) yield* this.#tell(event);
    } finally {
      turn.abort();
      await listening;
    }
    yield* this.#beside.splice(0);
  }

  async settled(taskId: string): Promise<EndOfTurn> {
    const { signal } = this.#context;
    const { status, metadata } = this.#last ?? (await this.#remote.task(taskId, { signal }));
    const isAtWork = ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"].includes(status.state);
    return {
      status,
      ...(metadata !== undefined && { metadata }),
      ...(isAtWork && this.#last === undefined && { goesOn: true }),
    };
  }

  async cancel(taskId: string): Promise<void> {
    try {
      await this.#remote.cancel(taskId, { signal: AbortSignal.timeout(4000) });
    } catch (error) {
      this.#context.report(error);
    }
  }

  /** Passes on what the caller says, until the turn is over. */
  async #listen(taskId: string, turn: AbortSignal): Promise<void> {
    const { nextMessage, step } = this.#context;
    for (;;) {
      const message = await nextMessage({ signal: turn }).catch((error: unknown) => {
        if (turn.aborted) return undefined;
        throw error;
      });
      if (message === undefined) return;
      const { reply } = await step("message", ({ key }) => this.#add(message, taskId, key));
      // Where the task stands may be another thing now.
      this.#last = undefined;
      if (reply !== undefined) this.#beside.push({ status: [...reply] });
    }
  }

  /** Passes one more message on to a task that is at work. An agent that does not take it says why. */
  async #add(
    { parts }: Message,
    taskId: string,
    idempotencyKey: string,
  ): Promise<{ readonly reply?: readonly Part[] }> {
    const { signal } = this.#context;
    const options = { taskId, idempotencyKey, signal, returnImmediately: true };
    try {
      const { message } = await this.#remote.send(parts, options);
      return message === undefined ? {} : { reply: message.parts };
    } catch (error) {
      if (!A2AError.is(error) || error.code === "UNAVAILABLE") throw error;
      const text = `The agent behind this one did not take the message: ${error.message}`;
      return { reply: [{ text }] };
    }
  }

  async #send(
    { parts }: Message,
    target: {
      readonly contextId?: string;
      readonly taskId?: string;
      readonly idempotencyKey: string;
    },
  ): Promise<AgentEvent> {
    const { signal, metadata, acceptedOutputModes } = this.#context;
    this.#open = this.#remote.stream(parts, {
      ...target,
      signal,
      ...(metadata !== undefined && { metadata }),
      ...(acceptedOutputModes.length > 0 && { acceptedOutputModes }),
    });
    const { value, done } = await this.#open.next();
    if (done === true)
      throw new BackendFailure("the agent behind this one answered nothing", {
        code: "BACKEND_FAILED",
      });
    this.#first = value;
    return value;
  }

  *#tell(event: AgentEvent): Generator<Output, void, void> {
    this.#first = undefined;
    yield* this.#beside.splice(0);
    if (event.kind === "artifact") {
      const { artifactId: artifact, ...described } = event.artifact;
      const { append, lastChunk } = event;
      yield {
        ...described,
        artifact,
        ...(append !== undefined && { append }),
        ...(lastChunk !== undefined && { lastChunk }),
      };
    } else if (event.kind === "task") {
      for (const { artifactId: artifact, ...described } of event.task.artifacts ?? []) {
        yield { ...described, artifact };
      }
      yield* this.#note(event.task);
    } else if (event.kind === "status") yield* this.#note(event);
  }

  /** Keeps where the task stands. What the agent says while it works is told. */
  *#note(settled: Settled): Generator<Output, void, void> {
    this.#last = settled;
    const { state, message } = settled.status;
    const progress = progressOf(settled);
    if (state !== "TASK_STATE_WORKING" || message === undefined) return;
    yield { status: [...message.parts], ...(progress !== undefined && { progress }) };
  }
}

type Next = { readonly answer: Message } | { readonly outcome: Outcome };

/** What the state of the other agent's task means for the caller: a question, whose answer is passed on, or the end. */
async function next(context: RunContext, settled: Settled, turn: number): Promise<Next> {
  const { status } = settled;
  const options = { name: `turn ${turn}` };
  switch (status.state) {
    case "TASK_STATE_INPUT_REQUIRED":
      return { answer: await context.ask(wordsOf(status, "More input is needed."), options) };
    case "TASK_STATE_AUTH_REQUIRED":
      return { answer: await context.authRequired(wordsOf(status, "Please authorize."), options) };
    case "TASK_STATE_COMPLETED":
      return { outcome: status.message && { completed: [...status.message.parts] } };
    case "TASK_STATE_REJECTED":
      return context.reject(wordsOf(status, "The agent behind this one rejected the task."));
    case "TASK_STATE_FAILED": {
      const { code, details } = failureOf(settled) ?? {};
      return context.fail(wordsOf(status, "The agent behind this one failed."), {
        ...(code !== undefined && { code }),
        ...(details !== undefined && { details }),
      });
    }
    case "TASK_STATE_CANCELED":
    case "TASK_STATE_SUBMITTED":
    case "TASK_STATE_UNSPECIFIED":
    case "TASK_STATE_WORKING":
      return context.fail(`The agent behind this one left its task as ${status.state}.`);
  }
}

function wordsOf({ message }: TaskStatus, otherwise: string) {
  return message === undefined ? otherwise : [...message.parts];
}

/** Whether an error came from the other agent or from the way to it, and not from the end of this run. */
function isFailure(error: unknown): error is Error {
  return error instanceof Error && error.name !== "EndOfRun" && !(error instanceof BackendFailure);
}
