import { sending } from "../load/request.js";
import type { Lab } from "../suite/lab.js";
import { answersPerSecond, expectAnswer } from "../suite/load-on.js";
import type { Sending } from "../suite/load-on.js";
import type { Bar, Finding, Goal, Panel, Series } from "../suite/series.js";
import { ratios } from "../suite/statistics.js";
import type { Subject } from "../suite/subject.js";

interface Side {
  readonly label: string;
  readonly isOurs: boolean;
  readonly subject: Subject;
}

const ours = "Parley, SQLite";
const sdkInMemory = "SDK, memory";
const sdkOnWal = "SDK, SQLite with WAL";

const loads: readonly {
  readonly title: string;
  readonly atLeast: number;
  readonly sent: Sending;
}[] = [
  { title: "64 at once", atLeast: 4, sent: { requests: [sending("task Tokyo")] } },
  {
    title: "64 at once, an await in the agent",
    atLeast: 3.5,
    sent: { requests: [sending("await Tokyo")] },
  },
  {
    title: "one connection",
    atLeast: 0.9,
    sent: { requests: [sending("task Tokyo")], connections: 1 },
  },
];

export const lifecycle: Series = {
  name: "lifecycle",
  title: "A task from its message to its end",
  what: "SendMessage that makes a task with an artifact of 100 B and waits for its end. Parley's stores are fully durable: an answer is on disk before it is given.",
  reference:
    "the SDK in memory, and with the statements of its stores for SQLite (its default and WAL) and PostgreSQL",
  async measure(lab) {
    const sides = await openSides(lab);
    for (const { subject } of sides) {
      for (const { sent } of loads) {
        await expectAnswer(lab, subject, sent.requests[0]!, { holding: "TASK_STATE_COMPLETED" });
      }
      await answersPerSecond(lab, subject, { ...loads[0]!.sent, forMs: 2000 });
    }
    const panels: Panel[] = [];
    const goals: Goal[] = [];
    for (const { title, atLeast, sent } of loads) {
      const values = await lab.inTurns(
        Object.fromEntries(
          sides.map(({ label, subject }) => [label, () => answersPerSecond(lab, subject, sent)]),
        ),
      );
      const bars: Bar[] = sides.map(({ label, isOurs }) => ({
        label,
        isOurs,
        values: values[label] ?? [],
      }));
      panels.push({ title, unit: "tasks / s", better: "more", bars });
      const against = (label: string): number[] => ratios(values[ours] ?? [], values[label] ?? []);
      goals.push({
        what: `on SQLite, against the SDK in memory; ${title}`,
        values: against(sdkInMemory),
        unit: "×",
        atLeast,
      });
      if (sent.connections !== 1) {
        goals.push({
          what: `on SQLite, against the SDK on SQLite with WAL; ${title}`,
          values: against(sdkOnWal),
          unit: "×",
          atLeast: 20,
        });
      }
    }
    return { panels, goals } satisfies Finding;
  },
};

async function openSides(lab: Lab): Promise<readonly Side[]> {
  const [database, sdkDatabase] = [await lab.newDatabase(), await lab.newDatabase()];
  const side = async (
    label: string,
    kind: "parley" | "sdk",
    options: Parameters<Lab["open"]>[1],
  ): Promise<Side> => ({
    label,
    isOurs: kind === "parley",
    subject: await lab.open(kind, options),
  });
  return [
    await side(ours, "parley", { store: lab.newFile() }),
    await side("Parley, memory", "parley", {}),
    ...(database === undefined
      ? []
      : [await side("Parley, PostgreSQL", "parley", { store: database })]),
    await side(sdkInMemory, "sdk", {}),
    await side("SDK, SQLite", "sdk", { store: lab.newFile() }),
    await side(sdkOnWal, "sdk", { store: lab.newFile(), journal: "WAL" }),
    ...(sdkDatabase === undefined
      ? []
      : [await side("SDK, PostgreSQL", "sdk", { store: sdkDatabase })]),
  ];
}
