import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { RuntimeSettings } from "@parley/a2a/server";
import { createDeferred } from "../support/time/deferred.js";

/** A fault that a node brings along, for the checker to find. */
export const mutants = [
  "no-epoch-check",
  "early-acknowledgement",
  "deaf-bus",
  "own-clock",
] as const;

export type Mutant = (typeof mutants)[number];

export interface NodeOptions {
  readonly name: string;
  readonly port: number;
  readonly grpcPort: number;
  /** The URL of the store, or the path of a SQLite file. */
  readonly store: string;
  /** The URL of the bus; absent: wake-ups stay in the process. */
  readonly bus?: string;
  /** Where the node writes down what its steps do and what the store acknowledges. */
  readonly traces: string;
  /** Where its reports go. */
  readonly log: string;
  readonly settings: Partial<RuntimeSettings>;
  readonly publicHosts: readonly string[];
  readonly clockSkewMs?: number;
  /** How often a silent stream says that it is there; 500 ms when absent. */
  readonly heartbeatMs?: number;
  readonly mutant?: Mutant;
  /** The version of the agents' code. */
  readonly revision?: string;
}

const script = fileURLToPath(new URL("./serve-node.mjs", import.meta.url));
const skew = fileURLToPath(new URL("./skew-clock.mjs", import.meta.url));

/** A server of the cluster, in a process that is killed, paused and started again on the same ports. */
export class ClusterNode implements AsyncDisposable {
  readonly options: NodeOptions;
  #child: ChildProcess | undefined;

  constructor(options: NodeOptions) {
    this.options = options;
  }

  get name(): string {
    return this.options.name;
  }

  get isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null;
  }

  /** Resolves once the node takes calls. */
  async start(changed: Partial<NodeOptions> = {}): Promise<void> {
    const options = { ...this.options, ...changed };
    const { clockSkewMs, log } = options;
    const child = fork(script, [JSON.stringify(options)], {
      stdio: ["ignore", "pipe", "pipe", "ipc"],
      execArgv: clockSkewMs === undefined ? [] : ["--import", skew],
      env: { ...process.env, CHAOS_CLOCK_SKEW_MS: `${clockSkewMs ?? 0}` },
    });
    this.#child = child;
    const file = createWriteStream(log, { flags: "a" });
    child.stdout?.pipe(file, { end: false });
    child.stderr?.pipe(file, { end: false });
    child.once("exit", () => file.end());
    const exited = once(child, "exit").then(async ([code]) => {
      const said = await readFile(log, "utf8").catch(() => "");
      throw new Error(`${this.name} ended with ${String(code)} before it was ready:\n${said}`);
    });
    exited.catch(() => undefined);
    await Promise.race([once(child, "message"), exited]);
  }

  /** Like the loss of a machine: no handler of the process gets to run. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** As a process manager stops it: the node leaves its work to others, and the process ends. */
  async terminate(): Promise<void> {
    await this.#end("SIGTERM");
  }

  /** Resolves once the process stands still, which a signal alone does not promise. */
  async pause(): Promise<void> {
    this.#child?.kill("SIGSTOP");
    while (!(await this.#isStopped())) await sleep(1);
  }

  resume(): void {
    this.#child?.kill("SIGCONT");
  }

  /** Holds back what its runs write, on its way to the store. Resolves with the first task whose write waits. */
  async holdWrites(taskIds: readonly string[], forMs: number): Promise<string> {
    const child = this.#child;
    const { promise, resolve, reject } = createDeferred<string>();
    const note = ({ held = "" }: { readonly held?: string }): void => {
      if (taskIds.includes(held)) resolve(held);
    };
    child?.on("message", note);
    child?.send({ holds: true });
    const late = setTimeout(() => reject(new Error(`${this.name} wrote nothing`)), forMs);
    try {
      return await promise;
    } finally {
      clearTimeout(late);
      child?.off("message", note);
    }
  }

  /** What was held back arrives now. */
  letWritesGo(): void {
    this.#child?.send({ holds: false });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.resume();
    await this.kill();
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  }

  async #isStopped(): Promise<boolean> {
    const status = await readFile(`/proc/${this.#child?.pid ?? 0}/status`, "utf8");
    return /^State:\s+T/m.test(status);
  }
}
