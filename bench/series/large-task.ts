import { setTimeout as sleep } from "node:timers/promises";
import { rpc, sending } from "../load/request.js";
import type { Lab } from "../suite/lab.js";
import type { Growth, Series } from "../suite/series.js";
import type { Subject } from "../suite/subject.js";

const piecesPerMegabyte = 16;
const echo = sending("echo Are you there?");

interface Measured {
  readonly rssMegabytes: number;
  readonly longestWaitMs: number;
  readonly seconds: number;
}

export const largeTask: Series = {
  name: "large-task",
  title: "A task of 250 MB whose reader stalls",
  what: "An agent says 250 MB in pieces of 64 KiB, and the one caller who listens stops reading at the beginning. How much the server's memory grows meanwhile, and how long other callers wait for small answers at most.",
  reference: "the same server before",
  async measure(lab) {
    const sizes = lab.isQuick ? [5, 20] : [10, 50, 250];
    const rounds = lab.isQuick ? 1 : 2;
    const measured = sizes.map(() => [] as Measured[]);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, size] of sizes.entries()) measured[index]?.push(await stall(lab, size));
    }
    const points = (key: keyof Measured): { size: number; values: number[] }[] =>
      sizes.map((size, index) => ({ size, values: measured[index]?.map((one) => one[key]) ?? [] }));
    const growth: Growth = {
      title: "Longest wait of other callers by size of the task",
      sizes: "MB",
      costs: "ms",
      lines: [{ label: "Parley, SQLite", isOurs: true, points: points("longestWaitMs") }],
    };
    const bars = (key: keyof Measured) =>
      points(key).map(({ size, values }) => ({ label: `${size} MB`, values, isOurs: true }));
    const largest = measured.at(-1) ?? [];
    return {
      panels: [
        {
          title: "peak memory (RSS) beyond that before, collected",
          unit: "MB",
          better: "less",
          bars: bars("rssMegabytes"),
        },
        {
          title: "time until the task has ended",
          unit: "s",
          better: "less",
          bars: bars("seconds"),
        },
      ],
      growth,
      goals: [
        {
          what: "growth of memory (RSS)",
          values: largest.map(({ rssMegabytes }) => rssMegabytes),
          unit: " MB",
          atMost: 32,
        },
        {
          what: "longest wait of other callers",
          values: largest.map(({ longestWaitMs }) => longestWaitMs),
          unit: " ms",
          atMost: 20,
        },
      ],
    };
  },
};

/** Warms a server up with a task of 1 MB, then lets a reader stall. */
async function stall(lab: Lab, megabytes: number): Promise<Measured> {
  const subject = await lab.open("parley", { store: lab.newFile() });
  for (let turn = 0; turn < 3; turn += 1) await lab.generator.read(subject, streaming(1));
  await lab.generator.waitsDuring(subject, echo, () => sleep(lab.ms(1000)));
  const before = await subject.tell<number>("watchRss");
  const start = performance.now();
  const waits = await lab.generator.waitsDuring(subject, echo, async () => {
    const begun = await lab.generator.stall(subject, streaming(megabytes));
    const id = /"id":"([0-9a-f-]{36})"[^{]*"contextId"/.exec(begun)?.[1] ?? "";
    await untilEnded(lab, subject, id);
  });
  const seconds = (performance.now() - start) / 1000;
  const peak = await subject.tell<number>("peakRss");
  await lab.generator.unstall(subject);
  await lab.close(subject);
  const rssMegabytes = (peak - before) / 1e6;
  return { rssMegabytes, longestWaitMs: waits.longest, seconds };
}

function streaming(megabytes: number): string {
  const count = megabytes * piecesPerMegabyte;
  return sending(`large ${count}`, { method: "SendStreamingMessage" });
}

/** Asks for lists, which leave artifacts out. */
async function untilEnded(lab: Lab, subject: Subject, id: string): Promise<void> {
  const list = rpc("ListTasks", { pageSize: 1 });
  const deadline = performance.now() + 120_000;
  for (;;) {
    const answer = await lab.generator.read(subject, list);
    if (!answer.includes(id)) throw new Error(`expected ${id} in ${answer.slice(0, 500)}`);
    if (answer.includes("TASK_STATE_COMPLETED")) return;
    if (/STATE_(?:FAILED|REJECTED)/.test(answer)) throw new Error(answer.slice(0, 1000));
    if (performance.now() > deadline) throw new Error("the large task does not end");
    await sleep(100);
  }
}
