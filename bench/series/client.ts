import type { CallPlan } from "../subjects/cost-of-calls.js";
import type { Goal, Panel, Series } from "../suite/series.js";
import { ratios } from "../suite/statistics.js";
import type { Subject } from "../suite/subject.js";

const loads: readonly {
  readonly title: string;
  readonly call: "text" | "send" | "stream";
  readonly plan: CallPlan;
  readonly atLeast: number;
}[] = [
  {
    title: "text(), against sendMessage of the SDK",
    call: "text",
    plan: { words: "echo Plan a week in Tokyo", times: 1000, atOnce: 8 },
    atLeast: 1,
  },
  {
    title: "service.sendMessage(), against sendMessage of the SDK",
    call: "send",
    plan: { words: "echo Plan a week in Tokyo", times: 1000, atOnce: 8 },
    atLeast: 1,
  },
  {
    title: "a stream of 1,000 events",
    call: "stream",
    plan: { words: "stream 1000", times: 10, atOnce: 1 },
    atLeast: 1.2,
  },
];

export const client: Series = {
  name: "client",
  title: "Clients",
  what: "The processor time that a client uses for a call, with the same server for both.",
  reference: "the SDK's client",
  async measure(lab) {
    const server = await lab.open("parley");
    const url = `http://127.0.0.1:${server.port}`;
    const subjects = {
      parley: await lab.open("parley-client", { url }),
      sdk: await lab.open("sdk-client", { url }),
    };
    const panels: Panel[] = [];
    const goals: Goal[] = [];
    for (const { title, call, plan, atLeast } of loads) {
      const cost = (subject: Subject): Promise<number> =>
        subject.tell<number>(call, {
          ...plan,
          times: Math.max(lab.count(plan.times), plan.atOnce),
        });
      const values = await lab.inTurns(
        { parley: () => cost(subjects.parley), sdk: () => cost(subjects.sdk) },
        { warmUps: 3 },
      );
      panels.push({
        title,
        unit: "µs of processor time",
        better: "less",
        bars: [
          { label: "Parley", values: values.parley, isOurs: true },
          { label: "SDK", values: values.sdk, isOurs: false },
        ],
      });
      goals.push({ what: title, values: ratios(values.sdk, values.parley), unit: "×", atLeast });
    }
    return { panels, goals };
  },
};
