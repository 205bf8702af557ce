/**
 * Prints what an idle watcher takes up on a server beyond what its connection does: bytes of the heap, promises and timers.
 * The same sockets are connected to a server of node's own, which holds as many event streams. Usage: node --expose-gc watch.mjs
 */
import { createHook } from "node:async_hooks";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import process from "node:process";
import { setImmediate as turn } from "node:timers/promises";
import { queryObjects } from "node:v8";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";

const watchers = 500;
const warmUps = 50;

const timers = new Set();
createHook({
  init: (id, kind) => void (kind === "Timeout" && timers.add(id)),
  destroy: (id) => void timers.delete(id),
}).enable();

const bare = createServer((request, response) => {
  request.resume().on("end", () => {
    response.writeHead(200, { "Content-Type": "text/event-stream" });
    response.write(": \n\n");
  });
});
bare.listen(0, "127.0.0.1");
await once(bare, "listening");

const waiting = agent({
  name: "Waiting",
  description: "Says a word and waits",
  async *run() {
    yield "begun";
    await new Promise(() => undefined);
  },
});
// A slow machine must not weigh heartbeats.
const heartbeatMs = 600_000;
const server = await serve(waiting, { port: 0, store: createMemoryStore(), heartbeatMs });
const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "go" }] };
const sent = await fetch(server.url, {
  method: "POST",
  headers: { "content-type": "application/json", "a2a-version": "1.0" },
  body: bodyOf("SendMessage", { message, configuration: { returnImmediately: true } }),
});
const { result } = await sent.json();

const plain = await weigh(bare.address().port);
const watched = await weigh(server.port);
const perWatcher = (kind) => (watched[kind] - plain[kind]) / watchers;
const found = Object.fromEntries(
  ["bytes", "promises", "timers"].map((kind) => [kind, perWatcher(kind)]),
);
process.stdout.write(JSON.stringify(found), () => process.exit());

/** What the streams of a port take up, after the first ones have made what all share. */
async function weigh(port) {
  await openStreams(port, warmUps);
  const before = await takenUp();
  await openStreams(port, watchers);
  const after = await takenUp();
  return Object.fromEntries(
    Object.entries(after).map(([kind, value]) => [kind, value - before[kind]]),
  );
}

async function takenUp() {
  // What was just written and read is let go of within some turns.
  for (let turns = 0; turns < 20; turns += 1) await turn();
  for (let times = 0; times < 4; times += 1) globalThis.gc();
  const promises = queryObjects(Promise, { format: "count" });
  return { bytes: process.memoryUsage().heapUsed, promises, timers: timers.size };
}

async function openStreams(port, count) {
  for (let opened = 0; opened < count; opened += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, index) => openStream(port, opened + index)));
  }
}

/** Resolves when the first event has come. */
async function openStream(port, id) {
  const body = bodyOf("SubscribeToTask", { id: result.task.id }, id);
  const head = `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nA2A-Version: 1.0\r\n`;
  const socket = connect(port, "127.0.0.1");
  socket.write(`${head}Content-Length: ${body.length}\r\n\r\n${body}`);
  let heard = "";
  while (!heard.includes("\n\n"))
    heard += String((await once(socket, "data"))[0])
      .split("\r\n\r\n")
      .at(-1);
}

function bodyOf(method, params, id = 0) {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}
