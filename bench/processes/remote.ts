import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import process from "node:process";

interface Call {
  readonly id: number;
  readonly name: string;
  readonly options: unknown;
}

interface Answer {
  readonly id: number;
  readonly value?: unknown;
  readonly error?: string;
}

/** A process of the benchmark that answers calls, one at a time or several at once. It ends with its parent. */
export class Remote implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #waiting: Map<number, (answer: Answer) => void> = new Map();
  #calls = 0;

  constructor(script: URL, words: readonly string[] = []) {
    // Heaps are weighed after a collection.
    this.#child = fork(script, words, { execArgv: ["--expose-gc"] });
    this.#child.on("message", (answer: Answer) => {
      this.#waiting.get(answer.id)?.(answer);
      this.#waiting.delete(answer.id);
    });
    this.#child.once("exit", (code) => {
      const error = `${script.pathname.split("/").at(-1)} ${words.join(" ")} ended with ${code}`;
      for (const [id, answer] of this.#waiting) answer({ id, error });
    });
  }

  async call<Value>(name: string, options?: unknown): Promise<Value> {
    const id = (this.#calls += 1);
    const answer = await new Promise<Answer>((resolve) => {
      this.#waiting.set(id, resolve);
      this.#child.send({ id, name, options } satisfies Call);
    });
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value as Value;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#waiting.clear();
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const hasEnded = once(this.#child, "exit");
    this.#child.kill("SIGKILL");
    await hasEnded;
  }
}

/** Answers the calls of the parent, until it ends. */
export function answerCalls(
  functions: Readonly<Record<string, (options: never) => unknown>>,
): void {
  process.once("disconnect", () => process.exit());
  process.on("message", ({ id, name, options }: Call) => {
    void (async () => {
      try {
        const value = await functions[name]?.(options as never);
        process.send?.({ id, value } satisfies Answer);
      } catch (error) {
        const words = error instanceof Error ? (error.stack ?? error.message) : String(error);
        process.send?.({ id, error: `${name}: ${words}` } satisfies Answer);
      }
    })();
  });
}
