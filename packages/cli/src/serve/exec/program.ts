import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { BackendFailure } from "../backend-agent.js";
import { readSaidLine } from "../said.js";
import type { Said } from "../said.js";
import { decodeText, splitLines } from "../text-streams.js";
import { LastLines } from "./last-lines.js";

/** How a program is started. */
export interface ProgramStart {
  readonly words: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** What it reads from its standard input. */
  readonly input: string;
  /** How long it has between SIGTERM and SIGKILL. */
  readonly killAfterMs: number;
}

/** How a program came to its end. */
export interface ProgramEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** The last lines that it wrote to its standard error. */
  readonly lastLines: string;
}

/** How many outputs may wait for the log before the program has to wait. */
const maxWaiting = 4;

/** A program at work for one message, in a process group of its own. */
export class Program {
  readonly #child: ChildProcess;
  readonly #killAfterMs: number;
  readonly #stderr = new LastLines();
  readonly #said = new PassThrough({ objectMode: true, highWaterMark: maxWaiting });
  readonly #ended: Promise<unknown>;
  #isOver = false;
  #killTimer: NodeJS.Timeout | undefined;

  constructor({ words: [file = "", ...args], env, input, killAfterMs }: ProgramStart) {
    this.#killAfterMs = killAfterMs;
    const child = spawn(file, args, {
      env,
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
      windowsHide: true,
    });
    this.#child = child;
    child.on("error", () => undefined);
    this.#ended = once(child, "close").finally(() => {
      this.#isOver = true;
      clearTimeout(this.#killTimer);
    });
    this.#ended.catch((cause: unknown) => this.#said.destroy(notStarted(file, cause)));
    // A program that does not read its input is none of our business.
    child.stdin?.on("error", () => undefined).end(input);
    child.stderr?.on("data", (bytes: Buffer) => this.#stderr.add(bytes));
    // There are none where the machine has no file descriptors left.
    const outputs = (child.stdio as typeof child.stdio | undefined)?.[3];
    void this.#listen(child.stdout, outputs as Readable | undefined);
  }

  /** What the program says, as it comes. A program that says more than is read has to wait. */
  get said(): AsyncIterable<Said> {
    return this.#said;
  }

  /** Resolves once the program has ended and nobody has its outputs open any more. */
  async end(): Promise<ProgramEnd> {
    await this.#ended;
    const { exitCode: code, signalCode: signal } = this.#child;
    return { code, signal, lastLines: this.#stderr.text() };
  }

  /** Ends the program and all that it started: with SIGTERM, and with SIGKILL if that is not enough. */
  stop(): void {
    if (this.#isOver || this.#killTimer !== undefined) return;
    this.#signal("SIGTERM");
    this.#killTimer = setTimeout(() => {
      this.#signal("SIGKILL");
      // A process that left the group may have them still.
      for (const stream of this.#child.stdio ?? []) stream?.destroy();
    }, this.#killAfterMs);
  }

  async #listen(stdout: Readable | null, outputs: Readable | undefined): Promise<void> {
    const said = this.#said;
    if (!stdout || !outputs) return;
    try {
      await Promise.all([
        pipeline(stdout, decodeText, asOutputs, said, { end: false }),
        pipeline(outputs, decodeText, asSaid, said, { end: false }),
      ]);
      said.end();
    } catch (error) {
      said.destroy(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (pid === undefined) return;
    try {
      process.kill(-pid, signal);
    } catch {
      // Where there are no groups, or none is left.
      this.#child.kill(signal);
    }
  }
}

async function* asOutputs(texts: AsyncIterable<string>): AsyncGenerator<Said> {
  for await (const output of texts) yield { output };
}

async function* asSaid(texts: AsyncIterable<string>): AsyncGenerator<Said> {
  const source = "the program, on file descriptor 3,";
  for await (const line of splitLines(texts, source)) yield readSaidLine(line, source);
}

function notStarted(file: string, cause: unknown): BackendFailure {
  return new BackendFailure(`the program ${file} could not be started`, {
    code: "PROGRAM_NOT_STARTED",
    cause,
  });
}
