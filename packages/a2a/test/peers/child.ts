import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";

/** A program of a peer, or of ours, that talks in lines of JSON. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

/** The longest that a program may take to begin, on a machine that is busy. */
export const startMs = 120_000;

/** A process that this one has started. It is killed when it is disposed of. */
export class Child implements AsyncDisposable {
  readonly #process: ChildProcess;
  readonly #closed: Promise<unknown>;
  readonly #listeners = new Set<(line: unknown) => void>();
  readonly #missed: unknown[] = [];
  #said = "";

  constructor({ command, args, environment }: Program) {
    const env = { ...process.env, ...environment };
    this.#process = spawn(command, args, { stdio: ["pipe", "pipe", "pipe"], env });
    this.#closed = once(this.#process, "close").catch((error: unknown) =>
      this.#hear(String(error)),
    );
    this.#process.stdin?.on("error", () => undefined);
    this.#process.stderr?.setEncoding("utf8").on("data", (text: string) => this.#hear(text));
    if (this.#process.stdout === null) throw new Error(`${command} has no standard output`);
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.#read(line));
  }

  /** The last of what it printed beside its answers. */
  get said(): string {
    return this.#said;
  }

  get isAlive(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  send(line: unknown): void {
    this.#process.stdin?.write(`${JSON.stringify(line)}\n`);
  }

  /** Tells of each line that it prints. The first listener gets those of before, too. */
  listen(listener: (line: unknown) => void): void {
    this.#listeners.add(listener);
    for (const line of this.#missed.splice(0)) listener(line);
  }

  /** The first line that it prints. */
  async firstLine(timeoutMs: number): Promise<unknown> {
    const first = new Promise<unknown>((resolve) => this.listen(resolve));
    const end = this.#closed.then(() => {
      throw new Error(`the process ended before it was ready: ${this.#said}`);
    });
    return within(timeoutMs, "a process to be ready", Promise.race([first, end]));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#process.stdin?.end();
    if (this.isAlive) this.#process.kill("SIGKILL");
    await this.#closed;
  }

  #read(line: string): void {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return this.#hear(`${line}\n`);
    }
    if (this.#listeners.size === 0) this.#missed.push(value);
    for (const listener of this.#listeners) listener(value);
  }

  #hear(text: string): void {
    this.#said = `${this.#said}${text}`.slice(-4000);
  }
}

/** What the promise gives, unless that takes too long. */
export async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${ms / 1000} s for ${what}`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
