import { rpc, sending } from "../load/request.js";
import { answersPerSecond, expectAnswer, manyConnections, taskIn } from "../suite/load-on.js";
import type { Series } from "../suite/series.js";
import { barsOf, openServers } from "../suite/sides.js";
import { ratios } from "../suite/statistics.js";

export const getTask: Series = {
  name: "get-task",
  title: "GetTask",
  what: "GetTask of ended tasks with an artifact of 100 B, 64 of them by turns, over 64 connections.",
  reference: "the SDK in memory",
  async measure(lab) {
    const subjects = await openServers(lab);
    const requests: Partial<Record<keyof typeof subjects, string[]>> = {};
    for (const name of ["sqlite", "memory", "sdk"] as const) {
      const ids: string[] = [];
      while (ids.length < manyConnections) {
        ids.push(await taskIn(lab, subjects[name], sending("task Tokyo")));
      }
      const gets = ids.map((id) => rpc("GetTask", { id }));
      requests[name] = gets;
      await expectAnswer(lab, subjects[name], gets[0]!, { holding: "TASK_STATE_COMPLETED" });
    }
    const rate = (of: keyof typeof subjects, forMs = 500): Promise<number> =>
      answersPerSecond(lab, subjects[of], { requests: requests[of] ?? [], forMs });
    for (const name of ["sqlite", "memory", "sdk"] as const) await rate(name, 2000);
    const values = await lab.inTurns({
      sqlite: () => rate("sqlite"),
      memory: () => rate("memory"),
      sdk: () => rate("sdk"),
    });
    return {
      panels: [
        {
          title: "64 connections",
          unit: "answers / s",
          better: "more",
          bars: barsOf(values),
        },
      ],
      goals: [
        {
          what: "on SQLite, against the SDK in memory",
          values: ratios(values.sqlite, values.sdk),
          unit: "×",
          atLeast: 7,
        },
      ],
    };
  },
};
