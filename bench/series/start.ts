import { setTimeout as sleep } from "node:timers/promises";
import { sending } from "../load/request.js";
import { expectAnswer } from "../suite/load-on.js";
import type { Lab } from "../suite/lab.js";
import type { Series } from "../suite/series.js";

const echo = sending("echo Are you there?");

interface Measured {
  readonly ms: number;
  readonly megabytes: number;
}

export const start: Series = {
  name: "start",
  title: "Start and rest",
  what: "The time from the start of a process to its first answer, and the memory (RSS) it has a second later. Parley opens a new SQLite file meanwhile.",
  reference: "a node:http server and the SDK in memory, started the same way",
  async measure(lab) {
    const sides = [
      ["Parley, SQLite", () => lab.open("parley", { store: lab.newFile() })],
      ["SDK, memory", () => lab.open("sdk")],
      ["node:http", () => lab.open("bare")],
    ] as const;
    const measured = sides.map(() => [] as Measured[]);
    for (let round = -1; round < lab.rounds; round += 1) {
      for (const [index, [, open]] of sides.entries()) {
        const one = await measure(lab, open);
        if (round >= 0) measured[index]?.push(one);
      }
    }
    const bars = (key: keyof Measured) =>
      sides.map(([label], index) => ({
        label,
        isOurs: index === 0,
        values: measured[index]?.map((one) => one[key]) ?? [],
      }));
    const ours = measured[0] ?? [];
    return {
      panels: [
        { title: "start to first answer", unit: "ms", better: "less", bars: bars("ms") },
        { title: "memory (RSS) at rest", unit: "MB", better: "less", bars: bars("megabytes") },
      ],
      goals: [
        {
          what: "start to first answer",
          values: ours.map(({ ms }) => ms),
          unit: " ms",
          atMost: 300,
        },
        {
          what: "memory (RSS) at rest",
          values: ours.map(({ megabytes }) => megabytes),
          unit: " MB",
          atMost: 70,
        },
      ],
    };
  },
};

async function measure(lab: Lab, open: () => ReturnType<Lab["open"]>): Promise<Measured> {
  const begin = performance.now();
  const subject = await open();
  await expectAnswer(lab, subject, echo, { holding: '"message"' });
  const ms = performance.now() - begin;
  await sleep(1000);
  const megabytes = (await subject.usage()).rss / 1e6;
  await lab.close(subject);
  return { ms, megabytes };
}
