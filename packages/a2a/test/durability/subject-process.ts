import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { A2AError } from "@parley/a2a";
import type {
  Message,
  SendMessageRequest,
  SendMessageResponse,
  StreamEvent,
  Task,
} from "@parley/a2a";
import type { RuntimeSettings } from "@parley/a2a/server";

export interface SubjectOptions {
  /** The store's file. */
  readonly path: string;
  /** Where the agent's steps leave their traces. */
  readonly effects?: string;
  /** The file for which an agent that is told to wait waits. */
  readonly gate?: string;
  readonly durable?: boolean;
  /** Which edition of its code the agent runs; the first when absent. */
  readonly edition?: 1 | 2;
  readonly durability?: "full" | "process";
  readonly busyTimeoutMs?: number;
  readonly clockOffsetMs?: number;
  /** Sends push notifications over real sockets. */
  readonly push?: boolean;
  readonly settings?: Partial<RuntimeSettings>;
}

interface SendOptions extends Partial<Message> {
  readonly immediate?: boolean;
  /** Where to tell of what happens to the task. */
  readonly pushTo?: string;
}

interface Pending {
  readonly pass: (event: StreamEvent) => void;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

type FromSubject =
  | { readonly ready: true }
  | { readonly report: string }
  | {
      readonly id: number;
      readonly event?: StreamEvent;
      readonly result?: unknown;
      readonly error?: { readonly code: A2AError["code"]; readonly message: string };
    };

const script = fileURLToPath(new URL("./run-subject.mjs", import.meta.url));

/** A node in a process of its own. Calls that its death leaves unanswered reject with `Killed`. */
export class SubjectProcess {
  /** Errors that callers were not shown. */
  readonly reports: string[] = [];
  readonly #child: ChildProcess;
  readonly #pending = new Map<number, Pending>();
  #calls = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    child.on("message", (message: FromSubject) => this.#receive(message));
    child.once("exit", () => {
      for (const { reject } of this.#pending.values()) reject(new Killed());
      this.#pending.clear();
    });
  }

  /** Resolves once the node takes calls. */
  static async start(options: SubjectOptions): Promise<SubjectProcess> {
    const child = fork(script, [JSON.stringify(options)], { execArgv: ["--expose-gc"] });
    const subject = new SubjectProcess(child);
    const exited = once(child, "exit").then(([code]) => {
      throw new Error(`the process ended with ${String(code)} before it was ready`);
    });
    exited.catch(() => undefined);
    await Promise.race([once(child, "message"), exited]);
    return subject;
  }

  /** Sends a text: `immediate` does not wait for the task to settle. */
  send(text: string, more: SendOptions = {}): Promise<SendMessageResponse> {
    return this.#call("send", toRequest(text, more)) as Promise<SendMessageResponse>;
  }

  /** Sends a text and gives the task that came of it. */
  async sendForTask(text: string, more: SendOptions = {}): Promise<Task> {
    const { task } = await this.send(text, more);
    if (task === undefined) throw new Error("the answer is not a task");
    return task;
  }

  countPushes(): Promise<{ readonly waiting: number; readonly dead: number }> {
    return this.#call("countPushes") as Promise<{ waiting: number; dead: number }>;
  }

  /** Resolves when the stream has ended; `pass` hears of every event as it arrives. */
  async stream(text: string, pass: (event: StreamEvent) => void): Promise<void> {
    await this.#call("stream", toRequest(text), pass);
  }

  async watch(id: string, pass: (event: StreamEvent) => void, resumeAfter?: number): Promise<void> {
    await this.#call("watch", { id, resumeAfter }, pass);
  }

  get(id: string): Promise<Task> {
    return this.#call("get", id) as Promise<Task>;
  }

  /** The task as soon as it meets a condition, looked at again and again. */
  async until(id: string, condition: (task: Task) => boolean): Promise<Task> {
    for (;;) {
      const task = await this.get(id);
      if (condition(task)) return task;
      await sleep(20);
    }
  }

  cancel(id: string): Promise<Task> {
    return this.#call("cancel", id) as Promise<Task>;
  }

  /** Readers of a task that take its first event and no more. */
  async stall(id: string, readers: number): Promise<void> {
    await this.#call("stall", { id, readers });
  }

  /** One of those reads on to the end; answers the texts of the chunks that it had left. */
  readOn(): Promise<readonly string[]> {
    return this.#call("readOn") as Promise<readonly string[]>;
  }

  /** Reads a task to its end within its process; answers how many chunks it has. */
  follow(id: string): Promise<number> {
    return this.#call("follow", id) as Promise<number>;
  }

  async letGo(): Promise<void> {
    await this.#call("letGo");
  }

  /** Bytes in use after a collection of garbage. */
  memory(): Promise<NodeJS.MemoryUsage> {
    return this.#call("memory") as Promise<NodeJS.MemoryUsage>;
  }

  async close(): Promise<void> {
    await this.#call("close");
  }

  /** Like the loss of a machine: no handler of the process gets to run. */
  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const exited = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await exited;
  }

  /** As a process manager stops it: the node leaves its work to others, and the process ends. */
  async terminate(): Promise<void> {
    const exited = once(this.#child, "exit");
    this.#child.kill("SIGTERM");
    await exited;
  }

  /** Resolves once the process stands still, which a signal alone does not promise. */
  async pause(): Promise<void> {
    this.#child.kill("SIGSTOP");
    while (!(await this.#isStopped())) await sleep(1);
  }

  resume(): void {
    this.#child.kill("SIGCONT");
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
  }

  async #isStopped(): Promise<boolean> {
    const { pid = 0 } = this.#child;
    const status = await readFile(`/proc/${pid}/status`, "utf8");
    return /^State:\s+T/m.test(status);
  }

  #call(
    operation: string,
    request?: unknown,
    pass: (event: StreamEvent) => void = () => undefined,
  ): Promise<unknown> {
    const id = (this.#calls += 1);
    return new Promise((resolve, reject) => {
      if (!this.#child.connected) return reject(new Killed());
      this.#pending.set(id, { pass, resolve, reject });
      // A process that dies meanwhile is noticed by its exit.
      this.#child.send({ id, operation, request }, () => undefined);
    });
  }

  #receive(message: FromSubject): void {
    if ("report" in message) this.reports.push(message.report);
    if (!("id" in message)) return;
    const pending = this.#pending.get(message.id);
    if (pending === undefined) return;
    if (message.event !== undefined) return pending.pass(message.event);
    this.#pending.delete(message.id);
    if (message.error === undefined) pending.resolve(message.result);
    else pending.reject(new A2AError(message.error.code, message.error.message));
  }
}

/** The process died before it answered. */
class Killed extends Error {}

/** Waits for a call that the process may not live to answer. */
export async function unlessKilled(answer: Promise<unknown>): Promise<void> {
  try {
    await answer;
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
}

function toRequest(
  text: string,
  { immediate = false, pushTo, ...more }: SendOptions = {},
): SendMessageRequest {
  const messageId = crypto.randomUUID();
  return {
    message: { messageId, role: "ROLE_USER", parts: [{ text }], ...more },
    configuration: {
      returnImmediately: immediate,
      ...(pushTo !== undefined && { taskPushNotificationConfig: { url: pushTo } }),
    },
  };
}
