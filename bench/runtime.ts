/**
 * Measures the runtime over the SQLite store with full durability: streams of chunks, lifecycles of tasks, and many
 * watchers of one task. Every bar is a ratio within one run, or a number of bytes.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CallContext, SendMessageRequest, Task } from "@parley/a2a";
import { agent, openRuntime } from "@parley/a2a/server";
import type { Handler, Runtime } from "@parley/a2a/server";
import type { Append, Appended, Store } from "@parley/a2a/store";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { median } from "./compare.js";
import { fanOut } from "./fan-out.js";
import { bytesOut, progress, report, time } from "./measure.js";
import type { Measure } from "./measure.js";
import { createReference } from "./store-reference.js";

const tasksAtOnce = 64;
const watchers = 2000;
const watchedChunks = 200;
const call: CallContext = { version: "1.0" };
const text = "x".repeat(100);

export async function benchRuntime(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  try {
    const measures = [
      ...(await measureChunks(join(folder, "chunks.db"))),
      await measureLifecycles(join(folder, "runtime.db"), join(folder, "reference.db")),
      await measureWatchers(join(folder, "watchers.db")),
    ];
    return measures.map(report).every((isMet) => isMet);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureChunks(path: string): Promise<Measure[]> {
  progress("streams of chunks through the runtime");
  await using store = await openSqliteStore({ path });
  await using runtime = await open(store, async function* ({ text: count }) {
    for (let sent = 0; sent < Number(count); sent += 1) yield text;
  });
  const rounds: { few: number; many: number; handedOver: number; toDisk: number }[] = [];
  for (let round = -1; round < 20; round += 1) {
    // Ten times, so that both sides take about as long and a busy machine disturbs them alike.
    const tenTimesFew = await time(async () => {
      for (let turn = 0; turn < 10; turn += 1) await complete(runtime, "500");
    });
    const few = tenTimesFew / 10;
    const before = await bytesOut();
    const many = await time(() => complete(runtime, "5000"));
    const after = await bytesOut();
    const handedOver = after.handedOver - before.handedOver;
    const toDisk = after.toDisk - before.toDisk;
    if (round >= 0) rounds.push({ few, many, handedOver, toDisk });
  }
  // Sums, because SQLite checkpoints its log only in some of the rounds.
  const sum = (key: "few" | "many" | "handedOver" | "toDisk"): number =>
    rounds.reduce((total, round) => total + round[key], 0);
  const megabytes = (key: "handedOver" | "toDisk"): number => sum(key) / rounds.length / 1e6;
  return [
    {
      name: "an agent that says 5,000 chunks against one that says 500",
      value: sum("many") / sum("few"),
      unit: "×",
      bar: 11,
      note: `, ${median(rounds.map(({ many }) => many)).toFixed(0)} ms`,
    },
    {
      name: "bytes written for an agent's 5,000 chunks of 100, first to the log and then in place",
      value: megabytes("handedOver"),
      unit: " MB",
      bar: 5,
      note: `, to disk ${megabytes("toDisk").toFixed(2)} MB`,
    },
  ];
}

async function measureLifecycles(path: string, referencePath: string): Promise<Measure> {
  progress("lifecycles of tasks through the runtime");
  await using store = await openSqliteStore({ path });
  await (await openSqliteStore({ path: referencePath })).close();
  using reference = createReference(referencePath);
  const recorded: Append[] = [];
  const recording = new Proxy(store, {
    get(target, name) {
      if (name === "append" && recorded.length < 100) {
        return (append: Append): Promise<Appended> => {
          recorded.push(append);
          return store.append(append);
        };
      }
      const member: unknown = Reflect.get(target, name);
      return typeof member === "function" ? (member.bind(target) as unknown) : member;
    },
  });
  await using runtime = await open(recording, async function* () {
    yield { artifact: "answer", text };
  });
  await complete(runtime, "once");
  const [first] = recorded;
  const template = recorded.filter(({ taskId }) => taskId === first?.taskId);

  const waves = 10;
  const rounds: { mine: number; theirs: number }[] = [];
  for (let round = -1; round < 15; round += 1) {
    const mine = await time(async () => {
      const lanes = Array.from({ length: tasksAtOnce }, async () => {
        for (let wave = 0; wave < waves; wave += 1) await complete(runtime, "once");
      });
      await Promise.all(lanes);
    });
    const theirs = await time(() => {
      for (let wave = 0; wave < waves; wave += 1) reference.runWave(repeat(template));
    });
    if (round >= 0) rounds.push({ mine, theirs });
  }
  const rate = (key: "mine" | "theirs"): string => {
    const perRound = waves * tasksAtOnce;
    return ((perRound / median(rounds.map((round) => round[key]))) * 1000).toFixed(0);
  };
  return {
    name: "lifecycles of 64 tasks at once against plain transactions of the same rows",
    value: median(rounds.map(({ mine, theirs }) => mine / theirs)),
    unit: "×",
    bar: 4,
    note: `, ${rate("mine")} tasks/s against ${rate("theirs")}`,
  };
}

/** Copies the appends for each of the tasks that run at once. */
function repeat(template: readonly Append[]): readonly Append[][] {
  return Array.from({ length: tasksAtOnce }, () => {
    const taskId = crypto.randomUUID();
    return template.map((append) => ({ ...append, taskId }));
  });
}

async function measureWatchers(path: string): Promise<Measure> {
  progress("watchers of one task");
  await using store = await openSqliteStore({ path });
  let begin: () => void = () => undefined;
  await using runtime = await open(store, async function* () {
    yield "begun";
    await new Promise<void>((resolve) => (begin = resolve));
    for (let sent = 0; sent < watchedChunks; sent += 1) yield text;
  });
  const rounds: { mine: number; theirs: number }[] = [];
  for (let round = -1; round < 7; round += 1) {
    const { id } = await send(runtime, "watch me", { returnImmediately: true });
    const events: unknown[] = [];
    let arrived = 0;
    let haveArrived: () => void = () => undefined;
    const all = new Promise<void>((resolve) => (haveArrived = resolve));
    const watching = Array.from({ length: watchers }, async (_, watcher) => {
      let seen = 0;
      for await (const event of runtime.subscribeToTask({ id }, call)) {
        if (watcher === 0) events.push(event);
        // Each stream begins with the current task.
        if (event.response.task !== undefined && (arrived += 1) === watchers) haveArrived();
        seen += 1;
      }
      return seen;
    });
    await all;
    const mine = await time(async () => {
      begin();
      const seen = await Promise.all(watching);
      if (seen.some((count) => count < watchedChunks)) throw new Error("a watcher missed events");
    });
    const theirs = await time(() => fanOut(events, watchers));
    if (round >= 0) rounds.push({ mine, theirs });
  }
  const nanoseconds = (key: "mine" | "theirs"): string => {
    const deliveries = watchers * (watchedChunks + 1);
    return ((median(rounds.map((round) => round[key])) / deliveries) * 1e6).toFixed(0);
  };
  return {
    name: "an event to each of 2,000 watchers against handing it to as many plain iterators",
    value: median(rounds.map(({ mine, theirs }) => mine / theirs)),
    unit: "×",
    bar: 4,
    note: `, ${nanoseconds("mine")} ns a watcher against ${nanoseconds("theirs")}`,
  };
}

function open(store: Store, run: Handler): Promise<Runtime> {
  return openRuntime({ agent: agent({ name: "Bench", description: "Is measured", run }), store });
}

async function send(
  runtime: Runtime,
  words: string,
  configuration: SendMessageRequest["configuration"] = {},
): Promise<Task> {
  const message = {
    messageId: crypto.randomUUID(),
    role: "ROLE_USER",
    parts: [{ text: words }],
  } as const;
  const { task } = await runtime.sendMessage({ message, configuration }, call);
  if (task === undefined) throw new Error("the agent made no task");
  return task;
}

async function complete(runtime: Runtime, words: string): Promise<void> {
  const { status } = await send(runtime, words);
  if (status.state !== "TASK_STATE_COMPLETED") throw new Error(`the task is ${status.state}`);
}
