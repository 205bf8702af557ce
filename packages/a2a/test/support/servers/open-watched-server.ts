import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ServeOptions } from "@parley/a2a/node";

const script = fileURLToPath(new URL("./watched-server.mjs", import.meta.url));

/** What a server has observed of itself since it was last asked. */
export interface Observation {
  /** The longest work at a time, in milliseconds of processor time. */
  readonly longestMs: number;
  /** The memory of the process, in bytes. */
  readonly rss: number;
  /** What it holds of that after a collection. The rest is memory that it has used, and may use again. */
  readonly held: number;
}

export interface WatchedServer extends AsyncDisposable {
  readonly port: number;
  readonly url: string;
  /** The API key by which a protected server knows its only user. */
  readonly key: string;
  /** Rejects if the server is no more. */
  observe(): Promise<Observation>;
}

export interface WatchedServerOptions extends Pick<
  ServeOptions,
  "limits" | "maxBodyBytesInFlight" | "maxConnections" | "timeouts"
> {
  readonly isProtected?: boolean;
  readonly heapMb?: number;
}

/** Opens a server in a process of its own with a small heap, and watches it. */
export async function openWatchedServer({
  heapMb = 128,
  ...options
}: WatchedServerOptions = {}): Promise<WatchedServer> {
  const child = fork(script, [JSON.stringify(options)], {
    execArgv: [`--max-old-space-size=${heapMb}`, "--expose-gc"],
    // What a server without memory says before it dies would fill the report.
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const exited = once(child, "exit").then(() => {
    throw new Error("the server has died");
  });
  exited.catch(() => undefined);
  const answer = async (): Promise<unknown> => {
    const [message] = (await Promise.race([once(child, "message"), exited])) as [unknown];
    return message;
  };
  const { port, key } = (await answer()) as { readonly port: number; readonly key: string };
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    key,
    async observe() {
      if (child.connected) child.send("observe");
      return (await answer()) as Observation;
    },
    async [Symbol.asyncDispose]() {
      if (child.connected) child.disconnect();
      await exited.catch(() => undefined);
    },
  };
}
