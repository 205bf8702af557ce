/**
 * A node of its own: one agent over a SQLite file, driven by the process that forked it. What a caller of
 * this node sees is passed on event by event, so that nothing that was seen is lost when it is killed.
 */
import { randomUUID } from "node:crypto";
import { appendFileSync, existsSync } from "node:fs";
import process from "node:process";
import { setImmediate as turn, setTimeout as sleep } from "node:timers/promises";
import { agent, openRuntime } from "@parley/a2a/server";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { textOf } from "@parley/a2a";

const options = JSON.parse(process.argv[2]);
const { path, durability, busyTimeoutMs, effects, gate, clockOffsetMs = 0, settings } = options;
const { edition = 1 } = options;

/** Leaves a trace that no replay takes back: what was done, for which task, and a new id. */
function leaveEffect(taskId, what) {
  const id = randomUUID();
  appendFileSync(effects, `${JSON.stringify({ taskId, what, id })}\n`);
  return id;
}

/** What the agent does is the first word of the message. */
const behaviours = {
  /** Numbers, each with the process that said it. Without a pause, in bursts. */
  async *count({ signal }, count, pauseMs) {
    for (let number = 0; number < Number(count); number += 1) {
      yield `${number}@${process.pid} `;
      if (pauseMs !== undefined) await sleep(Number(pauseMs), undefined, { signal });
      else if (number % 5 === 4) await turn();
      else if (number % 23 === 22) await sleep(2);
    }
  },
  /** The same as a named stream, in an artifact of its own. */
  async *draft(context, count, pauseMs) {
    const source = () => behaviours.count(context, count, pauseMs);
    yield* context.stream("draft", source, { artifact: "draft" });
  },
  async *steps({ step, taskId }, count) {
    for (let number = 0; number < Number(count); number += 1) {
      const id = await step(`step ${number}`, async () => {
        await sleep(2);
        const made = leaveEffect(taskId, `${number}`);
        await turn();
        return made;
      });
      yield id;
    }
  },
  async *ask({ ask, step, taskId }) {
    const before = await step("before", () => leaveEffect(taskId, "before"));
    yield { status: "About to ask" };
    const first = textOf(await ask("Which one?"));
    const between = await step("between", () => leaveEffect(taskId, "between"));
    const second = textOf(await ask("And which other?"));
    yield [before, first, between, second].join(" ");
  },
  /** Says before and after its question which activation of its code is at work. The second edition is other code. */
  async *consult({ ask, step, taskId }) {
    const activation = randomUUID();
    leaveEffect(taskId, "begun");
    yield `drafted by ${activation}`;
    if (edition === 2) yield ", with a new line";
    if (edition === 1) yield { status: "About to ask" };
    const found = await step("find", () => leaveEffect(taskId, "find"));
    if (edition === 2) await step("rate", () => leaveEffect(taskId, "rate"));
    const answer = textOf(await ask("Which one?"));
    const text = JSON.stringify({ activation, found, answer, edition });
    yield { artifact: "result", text };
  },
  /** Until somebody opens the gate; then counts. */
  async *wait(_, count = 0) {
    yield "waiting";
    while (!existsSync(gate)) await sleep(10);
    for (let number = 0; number < Number(count); number += 1) {
      yield `${number}`;
      if (number % 5 === 4) await sleep(2);
    }
    yield "done";
  },
  /** Counts, though the process that begins does so only half the way, and waits to be stopped. */
  async *handOver({ signal, step }, count) {
    const first = await step("first", () => process.pid);
    for (let number = 0; number < Number(count); number += 1) {
      if (first === process.pid && number === Number(count) / 2) await aborted(signal);
      yield `${number}@${process.pid}`;
    }
  },
  /** Counts, but in another process than the first only once the gate is open. */
  async *relay({ signal, step, taskId }, count, pauseMs) {
    const first = await step("first", () => process.pid);
    while (first !== process.pid && !existsSync(gate)) await sleep(10);
    try {
      for (let number = 0; number < Number(count); number += 1) {
        yield `${number}@${process.pid}`;
        await sleep(Number(pauseMs), undefined, { signal });
      }
    } finally {
      leaveEffect(taskId, `left by ${process.pid}`);
    }
  },
  async *forever() {
    yield "begun";
    await new Promise(() => undefined);
  },
  async *obey({ signal, taskId }) {
    yield "begun";
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    leaveEffect(taskId, "aborted");
  },
  async *listen({ nextMessage }) {
    yield "listening";
    yield textOf(await nextMessage());
  },
  /** Numbered, so that a chunk that is lost or doubled shows. */
  async *flood(_, count) {
    for (let number = 0; number < Number(count); number += 1) yield `${number}`.padEnd(100, ".");
  },
};

function aborted(signal) {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

const subject = agent({
  name: "Subject",
  description: "Does what it is told",
  durable: options.durable ?? false,
  capabilities: { streaming: true, pushNotifications: options.push ?? false },
  run(context) {
    const [what = "", ...words] = context.text.split(" ");
    return behaviours[what]?.(context, ...words) ?? `You said: ${context.text}`;
  },
});
const clock = {
  now: () => Date.now() + clockOffsetMs,
  after(delayMs, callback) {
    const timer = setTimeout(() => callback(), delayMs).unref();
    return () => clearTimeout(timer);
  },
};
const report = (error, taskId) => tell({ report: `${taskId}: ${error?.stack ?? error}` });
const store = await openSqliteStore({
  path,
  durability,
  ...(busyTimeoutMs && { busyTimeoutMs }),
  // Leases are in the store's time.
  ...(clockOffsetMs > 0 && { clock }),
  report: (error) => report(error, "store"),
});
const pushSender = options.push ? await openSender() : undefined;
const runtime = await openRuntime({ agent: subject, store, clock, report, settings, pushSender });
const call = { version: "1.0" };
/** Readers that took the first event and no more. */
const stalled = [];

/** Loaded when it is needed, because it takes a while. */
async function openSender() {
  const { createPushSender } = await import("@parley/a2a/node");
  return createPushSender({ allowPrivate: true });
}

const operations = {
  countPushes: () => runtime.push.count(),
  send: (request) => runtime.sendMessage(request, call),
  get: (id) => runtime.getTask({ id }, call),
  cancel: (id) => runtime.cancelTask({ id }, call),
  stream: (request, pass) => passAll(runtime.sendStreamingMessage(request, call), pass),
  watch: ({ id, resumeAfter }, pass) =>
    passAll(runtime.subscribeToTask({ id }, { ...call, resumeAfter }), pass),
  async stall({ id, readers }) {
    const begun = Array.from({ length: readers }, async () => {
      const events = runtime.subscribeToTask({ id }, call)[Symbol.asyncIterator]();
      await events.next();
      stalled.push(events);
    });
    await Promise.all(begun);
  },
  /** One of them reads on to the end: the texts of the chunks it had not seen when it began. */
  async readOn() {
    const texts = [];
    for await (const { response } of { [Symbol.asyncIterator]: () => stalled.pop() }) {
      const text = response.artifactUpdate?.artifact.parts[0]?.text;
      if (text !== undefined) texts.push(text.replace(/\.+$/, ""));
    }
    return texts;
  },
  letGo: () => Promise.all(stalled.splice(0).map((events) => events.return())),
  /** How many chunks a reader that keeps up has seen when the task has ended. */
  async follow(id) {
    let chunks = 0;
    for await (const { response } of runtime.subscribeToTask({ id }, call)) {
      chunks += response.task?.artifacts?.[0]?.parts.length ?? 0;
      if (response.artifactUpdate !== undefined) chunks += 1;
    }
    return chunks;
  },
  memory() {
    globalThis.gc();
    return process.memoryUsage();
  },
  async close() {
    await runtime.close();
    await store.close();
  },
};

async function passAll(events, pass) {
  for await (const event of events) pass(event);
}

function tell(message) {
  process.send(message);
}

process.on("message", (message) => void obey(message));

async function obey({ id, operation, request }) {
  try {
    const result = await operations[operation](request, (event) => tell({ id, event }));
    tell({ id, result });
  } catch (error) {
    tell({ id, error: { code: error.code, message: error.message } });
  }
}

// As a process manager stops it: it is given time to leave its work to others.
process.on("SIGTERM", () => void operations.close().then(() => process.exit()));
// Nobody is left to drive it.
process.on("disconnect", () => process.exit());
tell({ ready: true });
