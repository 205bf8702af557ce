import { sending } from "../load/request.js";
import { answersPerSecond, expectAnswer } from "../suite/load-on.js";
import type { Sending } from "../suite/load-on.js";
import type { Goal, Panel, Series } from "../suite/series.js";
import { ratios } from "../suite/statistics.js";

const requests = [
  sending("echo Plan a week in Tokyo in May: flights, a quiet hotel, one good concert."),
];

const shapes: Readonly<Record<string, Sending>> = {
  "64 connections, each as fast as it is answered": { requests },
  "64 connections in bursts": { requests, shape: "bursts" },
  "spread: 2,000 a second": { requests, shape: "spread", isByCost: true },
  "one connection": { requests, connections: 1, isByCost: true },
  "one connection, round trips": { requests, connections: 1 },
};

/** What is only shown: the load generator and the kernel take most of a round trip, whatever the server is. */
const shown = "one connection, round trips";

export const messages: Series = {
  name: "messages",
  title: "A message answered by a message",
  what: "SendMessage over JSON-RPC, answered by an echo, for four shapes of load. Spread load and one connection ask for less than a server can give, so what counts there is how many answers a second of the server's processor time is worth.",
  reference:
    "node:http with JSON alone, the same answering the requests of a turn together, and the SDK with Express",
  async measure(lab) {
    const subjects = {
      sqlite: await lab.open("parley", { store: lab.newFile() }),
      memory: await lab.open("parley"),
      bare: await lab.open("bare"),
      together: await lab.open("bare", { together: true }),
      sdk: await lab.open("sdk"),
    };
    for (const subject of Object.values(subjects)) {
      await expectAnswer(lab, subject, requests[0]!, { holding: '"message"' });
      await answersPerSecond(lab, subject, { requests, forMs: 2000 });
    }
    const panels: Panel[] = [];
    const goals: Goal[] = [];
    for (const [title, sent] of Object.entries(shapes)) {
      const values = await lab.inTurns({
        sqlite: () => answersPerSecond(lab, subjects.sqlite, sent),
        memory: () => answersPerSecond(lab, subjects.memory, sent),
        bare: () => answersPerSecond(lab, subjects.bare, sent),
        together: () => answersPerSecond(lab, subjects.together, sent),
        sdk: () => answersPerSecond(lab, subjects.sdk, sent),
      });
      const unit = sent.isByCost === true ? "answers / CPU second" : "answers / s";
      const isGoal = title !== shown;
      panels.push({
        title,
        unit,
        better: "more",
        bars: [
          { label: "Parley, SQLite", values: values.sqlite, isOurs: true },
          { label: "Parley, memory", values: values.memory, isOurs: true },
          { label: "node:http", values: values.bare, isOurs: false },
          { label: "node:http, a turn together", values: values.together, isOurs: false },
          { label: "SDK, memory", values: values.sdk, isOurs: false },
        ],
      });
      goals.push(
        {
          what: `against node:http that answers a turn together; ${title}`,
          values: ratios(values.sqlite, values.together),
          unit: "×",
          ...(isGoal && { atLeast: 0.85 }),
        },
        {
          what: `against the SDK; ${title}`,
          values: ratios(values.sqlite, values.sdk),
          unit: "×",
          ...(isGoal && { atLeast: 8 }),
        },
      );
      if (sent.shape === undefined && sent.connections === undefined) {
        goals.push({
          what: "on SQLite, against memory: a message needs no store",
          values: ratios(values.sqlite, values.memory),
          unit: "×",
          atLeast: 0.95,
        });
      }
    }
    return { panels, goals };
  },
};
