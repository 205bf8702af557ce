import { setImmediate as immediate } from "node:timers/promises";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import type { Server, ServeOptions } from "@parley/a2a/node";
import { chunk, Cue, piece } from "./chunks.js";
import { longerThanARun } from "./subject.js";
import type { OpenSubject } from "./subject.js";
import { telemetryOf } from "./telemetry.js";

const cue = new Cue();

/** Does what bench/http-sdk.ts does, and `large N`: N pieces of 64 KiB. */
const answering = agent({
  name: "bench",
  description: "Answers for the benchmark",
  inputModes: ["text/plain", "application/json"],
  run({ text }) {
    const [word = "", count = "1"] = text.split(" ");
    return word === "echo" ? text : produce(word, Number(count));
  },
});

async function* produce(word: string, count: number): AsyncGenerator<string, void, void> {
  if (word === "await") await immediate();
  if (word === "task" || word === "await") yield chunk;
  if (word === "hold") yield chunk;
  const isCounted = word === "hold" || word === "stream" || word === "large";
  for (let said = 0; isCounted && said < count; said += 1) {
    if (word === "hold") await cue.wait();
    else await immediate();
    yield word === "large" ? piece : chunk;
  }
}

export const open: OpenSubject = async (options) => {
  const { store = "memory", grpc = false, settings = {}, telemetry, inspector } = options;
  const server = await serve(answering, {
    ...(await telemetryOf(telemetry)),
    ...(inspector === true && { inspector: await inspectorOf() }),
    port: 0,
    store: await openStore(store),
    grpc: grpc ? { port: 0 } : false,
    timeouts: { idleMs: longerThanARun },
    maxConnections: 20_000,
    settings,
  });
  const calls = { emit: () => cue.give(), waiting: () => cue.waiting };
  return { port: grpc ? grpcPortOf(server) : server.port, calls };
};

/** Imports the inspector only for those who want it. */
async function inspectorOf(): Promise<NonNullable<ServeOptions["inspector"]>> {
  const { createInspector } = await import("@parley/inspector");
  return createInspector({ port: 0, receiverPort: false });
}

/** Imports the store in memory only for those who want it. */
async function openStore(store: string): Promise<NonNullable<ServeOptions["store"]>> {
  if (store !== "memory") return store;
  return (await import("@parley/a2a/store/memory")).createMemoryStore();
}

function grpcPortOf({ grpcAddress = "" }: Server): number {
  return Number(/\d+$/.exec(grpcAddress)?.[0]);
}
