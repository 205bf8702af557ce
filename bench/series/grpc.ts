import type { GrpcPlan } from "../load/grpc.js";
import type { Goal, Panel, Series } from "../suite/series.js";
import { barsOf, openServers } from "../suite/sides.js";
import { ratios } from "../suite/statistics.js";
import type { Subject } from "../suite/subject.js";

type Call = Pick<GrpcPlan, "method" | "text">;

const loads: readonly {
  readonly title: string;
  readonly unit: string;
  readonly each: number;
  readonly atLeast: number;
  readonly call: Call;
}[] = [
  {
    title: "a message answered by a message",
    unit: "calls / s",
    each: 1,
    atLeast: 2,
    call: {
      method: "SendMessage",
      text: "echo Plan a week in Tokyo in May: flights, a quiet hotel.",
    },
  },
  {
    title: "streams of 100 chunks of 100 B",
    unit: "chunks / s",
    each: 100,
    atLeast: 18,
    call: { method: "SendStreamingMessage", text: "stream 100" },
  },
];

export const grpc: Series = {
  name: "grpc",
  title: "gRPC",
  what: "Calls over eight HTTP/2 connections, eight at once on each.",
  reference: "the SDK in memory, on grpc-js",
  async measure(lab) {
    const subjects = await openServers(lab, { grpc: true });
    const panels: Panel[] = [];
    const goals: Goal[] = [];
    for (const { title, unit, each, atLeast, call } of loads) {
      const rate = async (subject: Subject, forMs: number): Promise<number> =>
        (await lab.generator.grpc(subject, { ...call, forMs: lab.ms(forMs) })).perSecond * each;
      for (const subject of Object.values(subjects)) await rate(subject, 2000);
      const values = await lab.inTurns(
        {
          sqlite: () => rate(subjects.sqlite, 700),
          memory: () => rate(subjects.memory, 700),
          sdk: () => rate(subjects.sdk, 1400),
        },
        { warmUps: 1 },
      );
      panels.push({ title, unit, better: "more", bars: barsOf(values) });
      goals.push({
        what: `against the SDK; ${title}`,
        values: ratios(values.sqlite, values.sdk),
        unit: "×",
        atLeast,
      });
    }
    return { panels, goals };
  },
};
