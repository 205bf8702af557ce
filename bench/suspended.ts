/**
 * Measures what a handler takes up in memory while it waits for an answer, over the store in memory and over SQLite,
 * and that no more of them wait than `maxSuspended`. Every bar is a number of bytes.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setImmediate as turn } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { CallContext } from "@parley/a2a";
import { agent, openRuntime } from "@parley/a2a/server";
import type { Runtime } from "@parley/a2a/server";
import type { Store } from "@parley/a2a/store";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { progress, report } from "./measure.js";
import type { Measure } from "./measure.js";

const handlers = 10_000;
const fewer = 1000;
const atOnce = 100;
const call: CallContext = { version: "1.0" };

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

/** What the handlers of one runtime take up while they wait. */
interface Weighed {
  /** The heap that they take up, each. */
  readonly bytes: number;
  readonly askedPerSecond: number;
  readonly answeredPerSecond: number;
}

export async function benchSuspended(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  const sqlite = (name: string) => (): Promise<Store> =>
    openSqliteStore({ path: join(folder, name), durability: "process" });
  const memory = async (): Promise<Store> => createMemoryStore();
  try {
    // The code is compiled, and what is made once is made.
    await weigh(memory, handlers, fewer);
    const rows = await weigh(memory, 0);
    const inMemory = await weigh(memory, handlers);
    const onDisk = await weigh(sqlite("all.db"), handlers);
    const bounded = await weigh(sqlite("fewer.db"), fewer);
    table({
      "memory, none held": rows,
      "memory, all held": inMemory,
      "SQLite, all held": onDisk,
      "SQLite, 1,000 held": bounded,
    });
    const measures: Measure[] = [
      {
        name: "a handler that waits, over the store in memory, besides its task",
        value: (inMemory.bytes - rows.bytes) / 1024,
        unit: " KB",
        bar: 8,
      },
      {
        name: "a handler that waits, over SQLite",
        value: onDisk.bytes / 1024,
        unit: " KB",
        bar: 8,
      },
      {
        name: `${handlers} waiting tasks of which ${fewer} handlers are held, against all held`,
        value: bounded.bytes / onDisk.bytes,
        unit: "×",
        bar: 0.25,
      },
    ];
    return measures.map(report).every((isMet) => isMet);
  } finally {
    await rm(folder, { recursive: true });
  }
}

function table(rows: Readonly<Record<string, Weighed>>): void {
  const lines = Object.entries(rows).map(([name, { bytes, askedPerSecond, answeredPerSecond }]) => {
    const cells = [
      `${(bytes / 1024).toFixed(2)} KB`,
      `${askedPerSecond.toFixed(0)}/s`,
      `${answeredPerSecond.toFixed(0)}/s`,
    ];
    return `${name.padEnd(22)}${cells.map((cell) => cell.padStart(12)).join("")}`;
  });
  const head = ["heap each", "asked", "answered"].map((cell) => cell.padStart(12)).join("");
  process.stdout.write(`${"".padEnd(22)}${head}\n${lines.join("\n")}\n`);
}

/** Lets handlers ask, weighs them, and answers them all. */
async function weigh(
  openStore: () => Promise<Store>,
  maxSuspended: number,
  count: number = handlers,
): Promise<Weighed> {
  await using store = await openStore();
  progress(`${count} handlers that ask, ${store.description}, ${maxSuspended} held at most`);
  await using runtime = await openRuntime({
    store,
    settings: { maxSuspended },
    agent: agent({
      name: "Asking",
      description: "Asks",
      async *run({ ask }) {
        yield "A draft of some words, as a model would write it. ";
        const { parts } = await ask("Is it good?");
        yield `It is ${parts[0]?.text}.`;
      },
    }),
  });
  // The first ones make what all share.
  for (let number = 0; number < 10; number += 1) await answer(runtime, await question(runtime));
  const before = await heap();
  const ids: string[] = [];
  const askedMs = await inLanes(count, async () => void ids.push(await question(runtime)));
  const bytes = ((await heap()) - before) / count;
  const answeredMs = await inLanes(count, async () => answer(runtime, ids.pop() ?? ""));
  return {
    bytes,
    askedPerSecond: (count / askedMs) * 1000,
    answeredPerSecond: (count / answeredMs) * 1000,
  };
}

async function heap(): Promise<number> {
  for (let times = 0; times < 3; times += 1) {
    await turn();
    collect();
  }
  return process.memoryUsage().heapUsed;
}

/** Does something so many times, some of them at once. Returns how long it took. */
async function inLanes(times: number, work: () => Promise<void>): Promise<number> {
  const start = performance.now();
  const lanes = Array.from({ length: atOnce }, async (_, lane) => {
    for (let done = lane; done < times; done += atOnce) await work();
  });
  await Promise.all(lanes);
  return performance.now() - start;
}

async function question(runtime: Runtime): Promise<string> {
  return (await send(runtime, "go", "TASK_STATE_INPUT_REQUIRED")).id;
}

async function answer(runtime: Runtime, taskId: string): Promise<void> {
  await send(runtime, "good", "TASK_STATE_COMPLETED", taskId);
}

async function send(runtime: Runtime, text: string, expected: string, taskId?: string) {
  const message = {
    messageId: crypto.randomUUID(),
    role: "ROLE_USER",
    parts: [{ text }],
    ...(taskId !== undefined && { taskId }),
  } as const;
  const { task } = await runtime.sendMessage({ message }, call);
  if (task?.status.state !== expected) throw new Error(`the task is ${task?.status.state}`);
  return task;
}
