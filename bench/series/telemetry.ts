import { sending } from "../load/request.js";
import type { Telemetry } from "../subjects/subject.js";
import type { Lab } from "../suite/lab.js";
import { answersPerSecond, expectAnswer } from "../suite/load-on.js";
import type { Bar, Goal, Panel, Series } from "../suite/series.js";
import { ratios } from "../suite/statistics.js";
import type { Subject } from "../suite/subject.js";

/** What is asked of a server, and what its answer holds. */
const loads = [
  { title: "a message answered by a message", requests: [sending("echo Tokyo")], holding: "Tokyo" },
  {
    title: "a task from its message to its end",
    requests: [sending("task Tokyo")],
    holding: "TASK_STATE_COMPLETED",
  },
  {
    title: "a stream of 100 chunks",
    requests: [sending("stream 100", { method: "SendStreamingMessage" })],
    holding: '"artifactUpdate"',
  },
] as const;

/** Against a server without telemetry: what a second of processor time is worth, at least. */
const sides: readonly { label: string; telemetry: Telemetry; atLeast: number }[] = [
  { label: "ports without anything behind them", telemetry: "off", atLeast: 0.99 },
  { label: "metrics", telemetry: "metrics", atLeast: 0.95 },
  { label: "traces, nothing sampled", telemetry: "unsampled", atLeast: 0.95 },
  { label: "traces, a tenth sampled", telemetry: "sampled", atLeast: 0.85 },
];

const without = "no telemetry";

/** From its first use on, node 20 does more for every promise of the process. No tracing can cost less. */
const storage = "no telemetry, but AsyncLocalStorage in use";

export const telemetry: Series = {
  name: "telemetry",
  title: "What telemetry costs",
  what: "Answers that a second of the server's processor time is worth, on SQLite and 64 connections: with the ports of telemetry and nothing behind them, with metrics, and with OpenTelemetry that samples nothing or a tenth, in batches, to an exporter that drops them. Node's AsyncLocalStorage, which all tracing needs, is measured alone as well.",
  reference: "the same server without telemetry",
  async measure(lab) {
    const subjects: Record<string, Subject> = {
      [without]: await lab.open("parley", { store: lab.newFile() }),
      [storage]: await lab.open("parley", { store: lab.newFile(), telemetry: "storage" }),
    };
    for (const { label, telemetry: kind } of sides) {
      subjects[label] = await lab.open("parley", { store: lab.newFile(), telemetry: kind });
    }
    const panels: Panel[] = [];
    const goals: Goal[] = [];
    for (const load of loads) {
      const values = await measureLoad(lab, subjects, load);
      const bars: Bar[] = Object.entries(values).map(([label, found]) => ({
        label,
        values: found,
        isOurs: true,
      }));
      panels.push({ title: load.title, unit: "answers / CPU second", better: "more", bars });
      for (const { label, atLeast } of sides) {
        goals.push({
          what: `${label}, against no telemetry; ${load.title}`,
          values: ratios(values[label] ?? [], values[without] ?? []),
          unit: "×",
          atLeast,
        });
      }
      goals.push({
        what: `${storage}, against no telemetry; ${load.title}`,
        values: ratios(values[storage] ?? [], values[without] ?? []),
        unit: "×",
      });
    }
    return { panels, goals };
  },
};

async function measureLoad(
  lab: Lab,
  subjects: Readonly<Record<string, Subject>>,
  { requests, holding }: (typeof loads)[number],
): Promise<Record<string, number[]>> {
  // Short turns and many of them: what else the machine does meets all sides alike. Before that the code must be compiled.
  const sent = { requests, isByCost: true, forMs: 300 };
  for (const subject of Object.values(subjects)) {
    await expectAnswer(lab, subject, requests[0], { holding });
    await answersPerSecond(lab, subject, { ...sent, forMs: 3000 });
  }
  return lab.inTurns(
    Object.fromEntries(
      Object.entries(subjects).map(([label, subject]) => [
        label,
        () => answersPerSecond(lab, subject, sent),
      ]),
    ),
    { rounds: lab.isQuick ? 2 : 9 },
  );
}
