/**
 * The life of an agent and of its callers, the same on every runtime. Prints what came of it as JSON, and then has
 * nothing left to do, so that the process ends by itself.
 */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { textOf } from "@parley/a2a";
import { createFetchHandler } from "@parley/a2a/http";
import { serve } from "@parley/a2a/node";
import { agent, openRuntime } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { connect } from "@parley/a2a/client";
import { callOver } from "./call-over.mjs";
import { notify } from "./notify.mjs";

/** What the test knows of this runtime. `grpcCaller` is a node that calls over gRPC, where this runtime cannot. */
const { drivers, hasFetchServer, grpcCaller } = JSON.parse(process.argv[2]);

const travel = agent({
  name: "Travel",
  description: "Finds flights",
  durable: true,
  async *run({ text, ask, step, signal }) {
    if (text === "wait") {
      yield "waiting";
      await new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    }
    if (text === "count") {
      for (const word of ["one ", "two ", "three"]) yield word;
      return;
    }
    const place = await ask("Where to?");
    const price = await step("price", () => 42);
    yield `To ${textOf(place)} for ${price}`;
  },
});

/** Runs of a server that stops get no time to finish: the tests wait for none of them. */
const settings = { stopGraceMs: 0 };

async function overGrpc(url) {
  if (grpcCaller === undefined) return callOver("GRPC", url);
  const script = fileURLToPath(new URL("./call-over.mjs", import.meta.url));
  const { stdout } = await promisify(execFile)(grpcCaller, [script, "GRPC", url]);
  return JSON.parse(stdout);
}

/** Serves with `serve`, closes, and serves again what was kept. */
async function serveWith(driver, folder) {
  const open = () =>
    openSqliteStore({ path: join(folder, `${driver.replace(":", "-")}.db`), driver });
  const store = await open();
  const server = await serve(travel, { port: 0, grpc: { port: 0, inCard: true }, store, settings });
  const answers = {
    JSONRPC: await callOver("JSONRPC", server.url),
    "HTTP+JSON": await callOver("HTTP+JSON", server.url),
    GRPC: await overGrpc(server.url),
  };
  const remote = await connect(server.url);
  const { id } = (await remote.send("count")).task;
  const closed = await closeMidStream(server.url, () => server.close());
  await store.close();

  const reopened = await open();
  const again = await serve(travel, { port: 0, store: reopened, settings });
  const kept = await (await connect(again.url)).task(id);
  await again.close();
  await reopened.close();
  return { ...answers, closed, kept: textOf(kept.artifacts[0]) };
}

/** Serves with the runtime's own server, which calls a function with a `Request`. */
async function serveFetch() {
  const store = createMemoryStore();
  const runtime = await openRuntime({ agent: travel, store, settings });
  const server = openFetchServer(createFetchHandler(runtime));
  const answers = {
    JSONRPC: await callOver("JSONRPC", server.url),
    "HTTP+JSON": await callOver("HTTP+JSON", server.url),
  };
  const closed = await closeMidStream(server.url, async () => {
    const stopped = server.stop();
    await runtime.close();
    await stopped;
  });
  await store.close();
  return { ...answers, closed };
}

function openFetchServer(fetch) {
  const address = { port: 0, hostname: "127.0.0.1" };
  if (globalThis.Bun !== undefined) {
    const server = globalThis.Bun.serve({ ...address, idleTimeout: 30, fetch });
    return { url: server.url.origin, stop: () => server.stop() };
  }
  const server = globalThis.Deno.serve({ ...address, onListen() {} }, fetch);
  return { url: `http://127.0.0.1:${server.addr.port}`, stop: () => server.shutdown() };
}

/** Closes a server while a caller reads a stream. The caller leaves once the server has closed. */
async function closeMidStream(url, close) {
  const remote = await connect(url);
  const caller = new AbortController();
  const stream = remote.stream("wait", { signal: caller.signal });
  let event = await stream.next();
  while (!event.done && event.value.kind !== "artifact") event = await stream.next();
  const left = stream.next().catch(String);
  await close();
  caller.abort("the server has closed");
  await left;
  return textOf(event.value.artifact);
}

function versionHere() {
  return globalThis.Bun?.version ?? globalThis.Deno?.version.deno ?? process.versions.node;
}

const folder = await mkdtemp(join(tmpdir(), "parley-smoke-"));
const report = { version: versionHere(), push: await notify() };
for (const driver of drivers) report[driver] = await serveWith(driver, folder);
if (hasFetchServer) report.fetch = await serveFetch();
await rm(folder, { recursive: true });
console.log(JSON.stringify(report));
