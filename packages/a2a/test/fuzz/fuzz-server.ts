/** The server that is fuzzed, in a process of its own with little memory. Ends with its parent. */
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { agent } from "@parley/a2a";
import type { Output } from "@parley/a2a";
import { apiKey, createAuthenticator, hashKey } from "@parley/a2a/auth";
import { serve } from "@parley/a2a/node";
import { fuzzExtension } from "./fuzz-extension.js";
import type { Measures, ToServer } from "./server-process.js";

const [, , storePath = ""] = process.argv;

const reports: string[] = [];
const report = (error: unknown): void => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  reports.push(text.slice(0, 2000));
};

/** An agent whose work is short whatever it is told: what is fuzzed is the server. */
const subject = (name: string) =>
  agent({
    name,
    description: "Is thrown at",
    version: "1.0.0",
    inputModes: ["*/*"],
    outputModes: ["*/*"],
    capabilities: { pushNotifications: true },
    extensions: [
      {
        uri: fuzzExtension,
        methods: { "acme/quote": (params) => params, Quote: () => ({}) },
      },
    ],
    async *run({ text, ask, signal }): AsyncGenerator<Output, string | undefined, void> {
      const [word = ""] = text.slice(0, 10).split(" ");
      if (word === "echo") return text;
      if (word === "ask") return `You said ${(await ask("What?")).parts.length} parts`;
      if (word === "wait") {
        yield { status: "Waiting" };
        await sleep(300, undefined, { signal });
      }
      for (let chunk = 0; chunk < 5; chunk += 1) yield `chunk ${chunk} `;
      return undefined;
    },
  });

const keys = [
  { hash: await hashKey("key-of-ada"), subject: "ada" },
  { hash: await hashKey("key-of-bob"), subject: "bob" },
];
const auth = createAuthenticator({
  schemes: { key: apiKey({ in: "header", name: "X-API-Key", keys }) },
});
const server = await serve(
  { "/": { agent: subject("open"), auth: false }, "/guarded": { agent: subject("guarded"), auth } },
  {
    port: 0,
    grpc: { port: 0 },
    store: storePath,
    report,
    reportFailure: report,
    // Names lead to this machine, and nowhere else.
    push: { allowPrivate: true, resolve: async () => [{ address: "127.0.0.1", family: 4 }] },
    settings: { suspendForMs: 1000, maxPushAttempts: 2, minPushDelayMs: 100, stopGraceMs: 100 },
  },
);

const probeMs = 20;
let lateMs = 0;
let blockedMs = 0;
let at = performance.now();
let cpu = process.cpuUsage();
/**
 * How late the event loop is, and how much of that this process has computed. A machine that is busy with other things
 * makes it late, too, but only what it computes itself blocks it.
 */
setInterval(() => {
  const now = performance.now();
  const { user, system } = process.cpuUsage(cpu);
  const late = now - at - probeMs;
  lateMs = Math.max(lateMs, late);
  blockedMs = Math.max(blockedMs, Math.min(late, (user + system) / 1000));
  at = now;
  cpu = process.cpuUsage();
}, probeMs).unref();

function measure(collects: boolean): Measures {
  if (collects) globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  const measures = {
    reports: reports.splice(0),
    lateMs,
    blockedMs,
    bytes: heapUsed + external,
    rss,
  };
  lateMs = 0;
  blockedMs = 0;
  return measures;
}

process.once("disconnect", () => process.exit());
process.on("message", ({ collects }: ToServer) => void process.send?.(measure(collects)));
const [, grpcPort] = /:(\d+)$/.exec(server.grpcAddress ?? "") ?? [];
process.send?.({ port: server.port, grpcPort: Number(grpcPort) });
