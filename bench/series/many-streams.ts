import { setTimeout as sleep } from "node:timers/promises";
import { rpc, sending } from "../load/request.js";
import type { Lab } from "../suite/lab.js";
import type { Bar, Series } from "../suite/series.js";
import { ratios } from "../suite/statistics.js";
import type { Subject } from "../suite/subject.js";

const events = 3;
const holding = sending(`hold ${events}`, { method: "SendStreamingMessage" });

interface Measured {
  readonly openMs: number;
  /** The processor time of one event on every stream. */
  readonly eventMs: number;
  readonly megabytes: number;
  readonly endedShare: number;
}

export const manyStreams: Series = {
  name: "many-streams",
  title: "10,000 streams at once",
  what: "10,000 tasks at work, each streamed over a connection of its own. Each says three chunks of 100 B, all at the same moment, and ends. The limits of runs are raised to as many.",
  reference:
    "a node:http server that writes the same bytes to as many responses, and the SDK in memory",
  async measure(lab) {
    const count = lab.count(10_000);
    const settings = {
      maxConcurrentRuns: 2 * count,
      maxConcurrentRunsPerPrincipal: 2 * count,
      maxQueuedRuns: 2 * count,
      maxQueuedRunsPerPrincipal: 2 * count,
    };
    const rounds = lab.isQuick ? 1 : 3;
    const [ours, theirs, bare]: [Measured[], Measured[], Measured[]] = [[], [], []];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(
        await hold(lab, await lab.open("parley", { store: lab.newFile(), settings }), count),
      );
      theirs.push(await hold(lab, await lab.open("sdk"), count));
      bare.push(await holdBare(lab, await lab.open("bare"), count));
    }
    const panel = (
      title: string,
      unit: string,
      key: keyof Measured,
      sides: [string, Measured[]][],
    ) => ({
      title,
      unit,
      better: "less" as const,
      bars: sides.map(([label, all]): Bar => ({
        label,
        isOurs: all === ours,
        values: all.map((one) => one[key]),
      })),
    });
    const all: [string, Measured[]][] = [
      ["Parley, SQLite", ours],
      ["SDK, memory", theirs],
      ["node:http", bare],
    ];
    const valuesOf = (side: readonly Measured[], key: keyof Measured): number[] =>
      side.map((one) => one[key]);
    return {
      panels: [
        panel("until all have begun", "ms", "openMs", all),
        panel("processor time of a chunk on every stream", "ms", "eventMs", all),
        panel("memory (RSS) beyond that of the idle server", "MB", "megabytes", all),
      ],
      goals: [
        {
          what: "streams that are told their end",
          values: valuesOf(ours, "endedShare"),
          unit: " %",
          atLeast: 100,
        },
        {
          what: "a chunk on every stream, stored, against the SDK in memory",
          values: ratios(valuesOf(theirs, "eventMs"), valuesOf(ours, "eventMs")),
          unit: "×",
        },
      ],
    };
  },
};

async function hold(lab: Lab, subject: Subject, count: number): Promise<Measured> {
  return measure(lab, subject, count, {
    request: holding,
    emit: () => subject.tell("emit"),
    end: async () => undefined,
  });
}

async function holdBare(lab: Lab, subject: Subject, count: number): Promise<Measured> {
  const event = `id: 4\ndata: ${"x".repeat(420)}\n\n`;
  return measure(lab, subject, count, {
    request: rpc("SubscribeToTask", { id: "none" }),
    emit: () => subject.tell("emit", { event }),
    end: () => subject.tell("end"),
  });
}

async function measure(
  lab: Lab,
  subject: Subject,
  count: number,
  { request, emit, end }: { request: string; emit: () => Promise<void>; end: () => Promise<void> },
): Promise<Measured> {
  const before = (await subject.usage()).rss;
  const start = performance.now();
  await lab.generator.openStreams(subject, count, request);
  await allWait(subject, count);
  const openMs = performance.now() - start;
  const micros = await subject.cpuFor(async () => {
    for (let told = 0; told < events; told += 1) {
      await allWait(subject, count);
      await lab.generator.untilAllHear(subject, emit);
    }
  });
  const megabytes = ((await subject.usage()).rss - before) / 1e6;
  await end();
  const ended = await lab.generator.ended(subject, 60_000);
  await lab.generator.closeStreams(subject);
  await lab.close(subject);
  return { openMs, eventMs: micros / events / 1000, megabytes, endedShare: (100 * ended) / count };
}

/** Waits until all agents wait for the next cue: a cue that comes before is lost. */
async function allWait(subject: Subject, count: number): Promise<void> {
  const deadline = performance.now() + 120_000;
  for (;;) {
    const waiting = await subject.tell<number>("waiting");
    if (waiting >= count) return;
    if (performance.now() > deadline) throw new Error(`only ${waiting} of ${count} agents wait`);
    await sleep(20);
  }
}
