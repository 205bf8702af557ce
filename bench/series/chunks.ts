import { sending } from "../load/request.js";
import { answersPerSecond, expectAnswer } from "../suite/load-on.js";
import type { Series } from "../suite/series.js";
import { barsOf, openServers } from "../suite/sides.js";
import { ratios } from "../suite/statistics.js";

const requests = [sending("stream 100", { method: "SendStreamingMessage" })];

export const chunks: Series = {
  name: "chunks",
  title: "Streams of 100 chunks of 100 B",
  what: "SendStreamingMessage of an agent that says 100 chunks of 100 B with a turn of the event loop before each, 64 streams at once.",
  reference: "the SDK in memory",
  async measure(lab) {
    const subjects = await openServers(lab);
    const rate = (of: keyof typeof subjects, forMs = of === "sdk" ? 2000 : 700): Promise<number> =>
      answersPerSecond(lab, subjects[of], { requests, forMs });
    for (const subject of Object.values(subjects)) {
      await expectAnswer(lab, subject, requests[0]!, { holding: '"artifactUpdate"', times: 100 });
    }
    await lab.untilAlone(subjects.sqlite);
    await rate("sqlite", 2000);
    await rate("memory", 2000);
    const values = await lab.inTurns(
      { sqlite: () => rate("sqlite"), memory: () => rate("memory"), sdk: () => rate("sdk") },
      { warmUps: 1 },
    );
    const perChunk = (rates: readonly number[]): number[] => rates.map((value) => value * 100);
    return {
      panels: [
        {
          title: "64 streams at once",
          unit: "chunks / s",
          better: "more",
          bars: barsOf({
            sqlite: perChunk(values.sqlite),
            memory: perChunk(values.memory),
            sdk: perChunk(values.sdk),
          }),
        },
      ],
      goals: [
        {
          what: "on SQLite, against the SDK in memory",
          values: ratios(values.sqlite, values.sdk),
          unit: "×",
          atLeast: 25,
        },
        {
          what: "in memory, against SQLite",
          values: ratios(values.memory, values.sqlite),
          unit: "×",
          atLeast: 1,
        },
      ],
    };
  },
};
