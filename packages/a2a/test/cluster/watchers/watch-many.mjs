/**
 * Watches tasks over thousands of connections, each a socket of its own, spread over the nodes. It is a process of its own,
 * so that neither its memory nor its time is that of the callers. It is told when to drop all connections; each watcher
 * then comes back after the last event that it has seen, at another node.
 */
import { writeFileSync } from "node:fs";
import { Agent, get } from "node:http";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

const { ports, taskIds, watchers: count, results } = JSON.parse(process.argv[2]);
const agent = new Agent({ keepAlive: false, maxSockets: Infinity });

/** Each event that anybody has seen, once: watchers of one task see the same. */
const known = new Map();

/** The number of an event, by what was sent. */
function numberOf(id, data) {
  const key = `${id}\n${data}`;
  const found = known.get(key);
  if (found !== undefined) return found.number;
  const at = Number(process.hrtime.bigint() / 1000n) / 1000;
  const response = JSON.parse(data);
  const state = (response.task ?? response.statusUpdate)?.status.state;
  const isLast = /COMPLETED|FAILED|CANCELED|REJECTED/.test(state ?? "");
  known.set(key, { number: known.size, at, id: Number(id), response, isLast });
  return known.size - 1;
}

const all = [];
/** How often all connections were dropped, how many watchers are back since then, and how many have seen the end. */
let drops = 0;
let back = 0;
let ended = 0;

class Watcher {
  seen = [];
  connections = 0;
  #isBack = false;
  #isEnded = false;
  #number;
  #last = "0";
  #request;

  constructor(number) {
    this.#number = number;
  }

  drop() {
    if (this.#isEnded) return;
    if (this.#isBack) back -= 1;
    this.#isBack = false;
    this.#request?.destroy();
  }

  /** Comes back until it has seen the end. */
  async watch() {
    for (;;) {
      if (await this.#connect()) break;
      // As a browser does: a pause, here with the spread that clients of many make.
      await sleep(Math.random() * 1000);
    }
    this.#isEnded = true;
    ended += 1;
  }

  #comeBack() {
    if (!this.#isBack) back += 1;
    this.#isBack = true;
  }

  #connect() {
    this.connections += 1;
    const { promise, resolve } = deferred();
    const port = ports[(this.#number + this.connections) % ports.length];
    const path = `/tasks/${taskIds[this.#number % taskIds.length]}:subscribe`;
    const headers = {
      "Last-Event-ID": this.#last,
      "A2A-Version": "1.0",
      Accept: "text/event-stream",
    };
    const request = get({ host: "127.0.0.1", port, path, headers, agent });
    this.#request = request;
    let isEnd = false;
    request.on("error", () => undefined);
    request.on("close", () => resolve(isEnd));
    request.on("response", (incoming) => {
      incoming.on("error", () => undefined);
      if (incoming.statusCode !== 200) return void incoming.destroy();
      this.#comeBack();
      incoming.setEncoding("utf8");
      let rest = "";
      incoming.on("data", (chunk) => {
        const blocks = (rest + chunk).split("\n\n");
        rest = blocks.pop();
        for (const block of blocks) isEnd = this.#take(block) || isEnd;
        if (isEnd) request.destroy();
      });
    });
    return promise;
  }

  /** Notes the event of a block; true when it is the last one of its task. */
  #take(block) {
    const id = /^id: (.*)$/m.exec(block)?.[1];
    const data = /^data: (.*)$/m.exec(block)?.[1];
    if (id === undefined || data === undefined) return false;
    const number = numberOf(id, data);
    this.#last = id;
    this.seen.push(number);
    return known.get(`${id}\n${data}`).isLast;
  }
}

function deferred() {
  let resolve;
  const promise = new Promise((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

process.on("message", (what) => {
  if (what !== "drop") return;
  drops += 1;
  for (const watcher of all) watcher.drop();
});
// Nobody is left to tell.
process.on("disconnect", () => process.exit());
const telling = setInterval(() => process.send({ drops, back, ended }), 100);
for (let number = 0; number < count; number += 1) all.push(new Watcher(number));
await Promise.all(all.map((watcher) => watcher.watch()));
clearInterval(telling);
const streams = all.map(({ seen, connections }, number) => ({
  taskId: taskIds[number % taskIds.length],
  seen,
  connections,
}));
writeFileSync(results, JSON.stringify({ events: [...known.values()], streams }));
process.send({ drops, back, ended, isDone: true });
