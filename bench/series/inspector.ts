import { sending } from "../load/request.js";
import { answersPerSecond, expectAnswer } from "../suite/load-on.js";
import type { Bar, Series } from "../suite/series.js";
import { ratios } from "../suite/statistics.js";

const chunks = 100;
const requests = [sending(`stream ${chunks}`, { method: "SendStreamingMessage" })] as const;

const labels = { plain: "without an inspector", inspected: "beside an inspector" } as const;

export const inspector: Series = {
  name: "inspector",
  title: "What recording costs",
  what: "Streams of 100 chunks that a second of the server's processor time is worth, on SQLite and 64 connections, while an inspector beside the server records all that passes and nobody looks.",
  reference: "the same server without an inspector",
  async measure(lab) {
    const plain = await lab.open("parley", { store: lab.newFile() });
    const inspected = await lab.open("parley", { store: lab.newFile(), inspector: true });
    const sent = { requests, isByCost: true, forMs: 1000 };
    for (const subject of [plain, inspected]) {
      await expectAnswer(lab, subject, requests[0], { holding: '"artifactUpdate"', times: chunks });
    }
    const values = await lab.inTurns(
      {
        plain: () => answersPerSecond(lab, plain, sent),
        inspected: () => answersPerSecond(lab, inspected, sent),
      },
      { rounds: lab.isQuick ? lab.rounds : 3 * lab.rounds, warmUps: 4 },
    );
    const bars: Bar[] = (["plain", "inspected"] as const).map((side) => ({
      label: labels[side],
      values: values[side],
      isOurs: true,
    }));
    return {
      panels: [
        { title: "a stream of 100 chunks", unit: "answers / CPU second", better: "more", bars },
      ],
      goals: [
        {
          what: "beside an inspector, against the same server without one; a stream of 100 chunks",
          values: ratios(values.inspected, values.plain),
          unit: "×",
          atLeast: 0.95,
        },
      ],
    };
  },
};
