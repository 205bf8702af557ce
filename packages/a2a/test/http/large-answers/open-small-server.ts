import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { RuntimeSettings } from "@parley/a2a/server";

const script = fileURLToPath(new URL("./serve-small.mjs", import.meta.url));

interface SmallServerOptions {
  /** The store's file; in memory when absent. */
  readonly path?: string;
  readonly heapMb?: number;
  readonly settings?: Partial<RuntimeSettings>;
}

/** How a server is: what it holds after garbage was collected, and how long it kept others waiting while it was watched. */
interface Health {
  readonly bytes: number;
  readonly longestMs: number;
}

export interface SmallServer extends AsyncDisposable {
  readonly url: string;
  /** False once the process has ended, by itself or by the system. */
  readonly isAlive: boolean;
  /** Measures from now on how long the event loop is busy at a time. */
  watch(): Promise<void>;
  health(): Promise<Health>;
}

/** Opens a server in a process of its own with a small heap. Its agent answers `say 40 1000` with 40 chunks of 1,000 bytes. */
export async function openSmallServer({
  heapMb = 256,
  ...options
}: SmallServerOptions = {}): Promise<SmallServer> {
  const execArgv = [`--max-old-space-size=${heapMb}`, "--expose-gc"];
  const child = fork(script, [JSON.stringify(options)], { execArgv });
  const exited = once(child, "exit");
  const ask = async <T>(question?: string): Promise<T> => {
    const answer = once(child, "message") as Promise<[T]>;
    if (question !== undefined) child.send(question);
    const died = exited.then(([code, signal]) => {
      throw new Error(`the server has ended: ${code ?? signal}`);
    });
    return (await Promise.race([answer, died]))[0];
  };
  const { url } = await ask<{ url: string }>();
  return {
    url,
    get isAlive() {
      return child.exitCode === null && child.signalCode === null;
    },
    watch: () => ask("watch"),
    health: () => ask("health"),
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGKILL");
      await exited;
    },
  };
}
