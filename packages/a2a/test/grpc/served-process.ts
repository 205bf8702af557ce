import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { onTestFinished } from "vitest";

/** What the server's process has held, in MB. */
export interface Memory {
  /** The most that buffers in use have had at any time, as far as it was seen. */
  readonly peakBuffers: number;
  /** The most that the whole process has had at any time, above what it had before it served. */
  readonly peakGrowth: number;
  /** What objects take now. */
  readonly heap: number;
}

export interface ServedProcess {
  readonly port: number;
  readonly isAlive: () => boolean;
  readonly memory: () => Promise<Memory>;
}

export interface ServedProcessOptions {
  /** The heap of the process, in MB. */
  readonly heapMb: number;
  /** JavaScript for the options of `serve`; it knows `keyAuth`, which admits whoever sends `x-api-key: secret`. */
  readonly options?: string;
  /** JavaScript for the agents; it knows `echo`. */
  readonly agents?: string;
}

/** Serves gRPC in a process of its own, with a small heap. */
export async function openServedProcess({
  heapMb,
  options = "{}",
  agents = "echo",
}: ServedProcessOptions): Promise<ServedProcess> {
  const script = `
    import { A2AError } from "@parley/a2a";
    import { serve } from "@parley/a2a/node";
    import { agent } from "@parley/a2a/server";
    import { createMemoryStore } from "@parley/a2a/store/memory";
    const echo = agent({ name: "Echo", description: "Repeats", run: ({ text }) => text });
    const other = agent({ name: "Other", description: "Repeats", run: ({ text }) => text });
    const authOf = (authenticate) => ({
      challenges: ["Bearer"],
      authenticate,
      declareIn: (card) => card,
    });
    const keyAuth = authOf(async (shown) => {
      if (shown.header("x-api-key") === "secret") return { subject: "ada" };
      throw new A2AError("UNAUTHENTICATED", "who?");
    });
    const neverAuth = authOf(() => new Promise(() => {}));
    const { grpc, ...options } = ${options};
    const serving = await serve(${agents}, {
      port: 0,
      grpc: { port: 0, ...grpc },
      store: createMemoryStore(),
      ...options,
    });
    const before = process.memoryUsage().rss;
    let peakBuffers = 0;
    let peakRss = before;
    const mega = (bytes) => Math.round(bytes / 1e6);
    const look = () => {
      // What one collection finds is counted off in the next.
      gc();
      gc();
      const { arrayBuffers, rss } = process.memoryUsage();
      peakBuffers = Math.max(peakBuffers, arrayBuffers);
      peakRss = Math.max(peakRss, rss);
    };
    setInterval(look, 250);
    process.on("message", () => {
      look();
      const heap = mega(process.memoryUsage().heapUsed);
      process.send({ peakBuffers: mega(peakBuffers), peakGrowth: mega(peakRss - before), heap });
    });
    process.send(Number(serving.grpcAddress.split(":").at(-1)));`;
  const flags = [`--max-old-space-size=${heapMb}`, "--expose-gc", "--input-type=module"];
  const child = spawn(process.execPath, [...flags, "--eval", script], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  const [port] = (await once(child, "message")) as [number];
  return {
    port,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    async memory() {
      child.send("memory");
      const [memory] = (await once(child, "message")) as [Memory];
      return memory;
    },
  };
}
