/**
 * Measures the SQLite store with full durability: chunks of a stream and lifecycles of tasks. Every bar is a
 * ratio within one run, or so generous that no disk misses it.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Append, LogEvent, Store } from "@parley/a2a/store";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { median } from "./compare.js";
import { bytesWritten, progress, report, time } from "./measure.js";
import type { Measure } from "./measure.js";
import { createReference } from "./store-reference.js";
import { chunk, creation, lifecycle } from "./store-samples.js";

/** The runtime lets this many events of a task wait for their commit, and appends them together. */
const backlog = 64;
const parallelTasks = 64;

export async function benchStore(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  try {
    const measures = [
      ...(await measureChunks(join(folder, "chunks.db"))),
      await measureLifecycles(join(folder, "store.db"), join(folder, "reference.db")),
    ];
    return measures.map(report).every((isMet) => isMet);
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function measureChunks(path: string): Promise<Measure[]> {
  progress("chunks of one task");
  await using store = await openSqliteStore({ path });
  const rounds: { few: number; many: number; bytes: number }[] = [];
  for (let round = -1; round < 20; round += 1) {
    const few = await time(() => stream(store, `few-${round}`, 500));
    const before = await bytesWritten();
    const many = await time(() => stream(store, `many-${round}`, 5000));
    const bytes = (await bytesWritten()) - before;
    if (round >= 0) rounds.push({ few, many, bytes });
  }
  // Sums, because SQLite checkpoints its log in few rounds, and ten times as often in the long ones.
  const sum = (key: "few" | "many" | "bytes"): number =>
    rounds.reduce((total, round) => total + round[key], 0);
  const manyMs = median(rounds.map(({ many }) => many)).toFixed(0);
  return [
    {
      name: "5,000 chunks against 500",
      value: sum("many") / sum("few"),
      unit: "×",
      bar: 11,
      note: `, ${manyMs} ms`,
    },
    {
      name: "bytes written for 5,000 chunks of 100",
      value: sum("bytes") / rounds.length / 1e6,
      unit: " MB",
      bar: 5,
    },
  ];
}

/** Streams as the runtime does: one append at a time, with everything that arrived during the last one. */
async function stream(store: Store, taskId: string, chunks: number): Promise<void> {
  const created = creation(taskId, Date.now());
  await store.append(created);
  const first = created.events.length;
  for (let sent = 0; sent < chunks;) {
    const count = Math.min(sent === 0 ? 1 : backlog, chunks - sent);
    const events: LogEvent[] = Array.from({ length: count }, chunk);
    await store.append({ taskId, expectedSequence: first + sent, epoch: 1, events });
    sent += count;
  }
}

async function measureLifecycles(storePath: string, referencePath: string): Promise<Measure> {
  progress("lifecycles of tasks");
  await using store = await openSqliteStore({ path: storePath });
  await (await openSqliteStore({ path: referencePath })).close();
  using reference = createReference(referencePath);
  const waves = 10;
  const rounds: { mine: number; theirs: number }[] = [];
  for (let round = -1; round < 15; round += 1) {
    const mine = await time(() =>
      inParallel(async () => {
        for (let wave = 0; wave < waves; wave += 1) {
          for (const append of lifecycle(Date.now())) await store.append(append);
        }
      }),
    );
    const theirs = await time(() => {
      for (let wave = 0; wave < waves; wave += 1) reference.runWave(newWave());
    });
    if (round >= 0) rounds.push({ mine, theirs });
  }
  const appends = waves * parallelTasks * 4;
  const rate = (milliseconds: number): string => ((appends / milliseconds) * 1000).toFixed(0);
  const mine = rate(median(rounds.map((round) => round.mine)));
  const theirs = rate(median(rounds.map((round) => round.theirs)));
  return {
    name: "lifecycles of 64 tasks at once against plain transactions of 64 on the main thread",
    value: median(rounds.map((round) => round.mine / round.theirs)),
    unit: "×",
    bar: 2,
    note: `, ${mine} appends/s against ${theirs}`,
  };
}

function newWave(): readonly Append[][] {
  return Array.from({ length: parallelTasks }, () => lifecycle(Date.now()));
}

async function inParallel(work: () => Promise<void>): Promise<void> {
  await Promise.all(Array.from({ length: parallelTasks }, work));
}
