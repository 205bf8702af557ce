import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { Misbehaviour } from "./misbehaviour.js";
import { openHttpSocket } from "./http-answer.js";

/** What the process has measured since it was asked last. */
export interface Measures {
  /** What it reported: errors that are none of a caller's. */
  readonly reports: readonly string[];
  readonly lateMs: number;
  readonly blockedMs: number;
  /** Of the heap and outside of it. */
  readonly bytes: number;
  readonly rss: number;
}

export interface ToServer {
  /** Whether to collect garbage first. */
  readonly collects: boolean;
}

interface Ports {
  readonly port: number;
  readonly grpcPort: number;
}

const heapMegabytes = 256;
const script = fileURLToPath(new URL("./fuzz-server.ts", import.meta.url));
/** What the process says of itself at its start. */
const expectedWarning = /^WARNING: push notifications may go to this machine.*\n/;

/** What only one caller may see. */
export const secretText = "only ada may read this";

/** A server that is thrown at, and the tasks that it has. */
export class ServerProcess {
  readonly port: number;
  readonly grpcPort: number;
  /** In place of `TASK-0`, `TASK-1` and so on in requests. The last one belongs to a caller that has a key. */
  tasks: readonly string[] = [];
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #exited: Promise<string>;
  #said = "";
  #exit: string | undefined;

  private constructor(child: ChildProcess, folder: string, { port, grpcPort }: Ports) {
    this.#child = child;
    this.#folder = folder;
    this.port = port;
    this.grpcPort = grpcPort;
    child.stderr?.setEncoding("utf8").on("data", (text: string) => (this.#said += text));
    this.#exited = once(child, "exit").then(([code, signal]) => {
      this.#exit = `the server died (${String(signal ?? code)}): ${this.#said.slice(0, 2000)}`;
      return this.#exit;
    });
  }

  static async start(): Promise<ServerProcess> {
    const folder = await mkdtemp(join(tmpdir(), "parley-fuzz-"));
    const execArgv = [`--max-old-space-size=${heapMegabytes}`, "--expose-gc", ...process.execArgv];
    const child = fork(script, [join(folder, "fuzz.db")], {
      execArgv,
      stdio: ["ignore", "inherit", "pipe", "ipc"],
    });
    const exited = once(child, "exit").then(([code]) => {
      throw new Error(`the server ended with ${String(code)} before it was ready`);
    });
    const ports = await Promise.race([messageWith<Ports>(child, "port"), exited]);
    exited.catch(() => undefined);
    const server = new ServerProcess(child, folder, ports);
    server.tasks = await Promise.all([
      server.#createTask("task"),
      server.#createTask("ask"),
      server.#createTask("wait"),
      server.#createTask(secretText, "ada"),
    ]);
    return server;
  }

  get isAlive(): boolean {
    return this.#exit === undefined;
  }

  /** Throws when the process has died. */
  async measure(collects = false): Promise<Measures> {
    if (this.#exit !== undefined) throw new Misbehaviour(this.#exit);
    const answered = messageWith<Measures>(this.#child, "blockedMs");
    this.#child.send({ collects } satisfies ToServer, () => undefined);
    const measures = await Promise.race([answered, this.#exited]);
    if (typeof measures === "string") throw new Misbehaviour(measures);
    return measures;
  }

  /** What the process has printed since it was asked last. */
  said(): string {
    const text = this.#said.replace(expectedWarning, "");
    this.#said = "";
    return text;
  }

  /** Puts the ids of the tasks in place of `TASK-0` and so on. */
  fill(text: string): string {
    return text.replaceAll(/TASK-(\d)/g, (_, index: string) => this.tasks[Number(index)] ?? "none");
  }

  async stop(): Promise<void> {
    this.#child.kill("SIGKILL");
    await this.#exited;
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #createTask(text: string, key?: string): Promise<string> {
    const message = { messageId: text, role: "ROLE_USER", parts: [{ text }] };
    const params = { message, configuration: { returnImmediately: true } };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params });
    const path = key === undefined ? "/" : "/guarded";
    const head = [
      `POST ${path} HTTP/1.1`,
      "Host: localhost",
      "Content-Type: application/json",
      "A2A-Version: 1.0",
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      ...(key === undefined ? [] : [`X-API-Key: key-of-${key}`]),
    ];
    const socket = openHttpSocket(this.port);
    socket.write(Buffer.from(`${head.join("\r\n")}\r\n\r\n${body}`));
    const [answer] = await socket.answers(1);
    const { result } = JSON.parse(String(answer?.body)) as {
      result: { task: { id: string } };
    };
    return result.task.id;
  }
}

/** The next message that has a member. The loader of TypeScript sends messages of its own. */
function messageWith<T>(child: ChildProcess, member: keyof T & string): Promise<T> {
  return new Promise((resolve) => {
    const receive = (message: object): void => {
      if (!(member in message)) return;
      child.off("message", receive);
      resolve(message as T);
    };
    child.on("message", receive);
  });
}
