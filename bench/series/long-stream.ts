import { sending } from "../load/request.js";
import type { Lab } from "../suite/lab.js";
import { expectAnswer } from "../suite/load-on.js";
import type { Growth, Series } from "../suite/series.js";
import { exponentOf, medianOf } from "../suite/statistics.js";
import type { Subject } from "../suite/subject.js";

const streaming = (count: number): string =>
  sending(`stream ${count}`, { method: "SendStreamingMessage" });

export const longStream: Series = {
  name: "long-stream",
  title: "One task of 5,000 chunks",
  what: "How long one stream takes by the number of its chunks, each of 100 B and with a turn of the event loop before it.",
  reference: "the SDK in memory",
  async measure(lab) {
    const parley = await lab.open("parley", { store: lab.newFile() });
    const sdk = await lab.open("sdk");
    const most = lab.isQuick ? 1000 : 5000;
    const sizes = [most / 10, most / 5, most / 2, most];
    for (const subject of [parley, sdk]) {
      await expectAnswer(lab, subject, streaming(100), { holding: '"artifactUpdate"', times: 100 });
    }
    for (let turn = 0; turn < 3; turn += 1) await timed(lab, parley, most);
    await timed(lab, sdk, most / 5);
    const ours = await measure(lab, parley, sizes, lab.rounds);
    // The longest takes the SDK a quarter of a minute.
    const theirs = await measure(lab, sdk, sizes, 1);
    const growth: Growth = {
      title: "Time by number of chunks",
      sizes: "chunks",
      costs: "ms",
      lines: [
        { label: "Parley, SQLite", isOurs: true, points: ours },
        { label: "SDK, memory", isOurs: false, points: theirs },
      ],
    };
    const theirLongest = medianOf(theirs.at(-1)!.values);
    return {
      panels: [],
      growth,
      goals: [
        {
          what: `${most.toLocaleString("en")} chunks, against the SDK`,
          values: ours.at(-1)!.values.map((value) => theirLongest / value),
          unit: "×",
          atLeast: 300,
        },
        {
          what: "exponent of the growth",
          values: [exponentOf(ours.map(({ size, values }) => [size, medianOf(values)] as const))],
          unit: "",
          atMost: 1.1,
        },
      ],
    };
  },
};

async function measure(
  lab: Lab,
  subject: Subject,
  sizes: readonly number[],
  rounds: number,
): Promise<{ size: number; values: number[] }[]> {
  const points = sizes.map((size) => ({ size, values: [] as number[] }));
  for (let round = 0; round < rounds; round += 1) {
    for (const { size, values } of points) values.push(await timed(lab, subject, size));
  }
  return points;
}

async function timed(lab: Lab, subject: Subject, size: number): Promise<number> {
  const requests = [streaming(size)];
  const plan = { requests, shape: "bursts", connections: 1, forMs: 0 } as const;
  return (await lab.generator.http(subject, plan)).medianMs;
}
