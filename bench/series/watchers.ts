import { rpc, sending } from "../load/request.js";
import { taskIn } from "../suite/load-on.js";
import type { Series } from "../suite/series.js";
import { barsOf } from "../suite/sides.js";
import type { Subject } from "../suite/subject.js";

const held = sending("hold 1000", { configuration: { returnImmediately: true } });

export const watchers: Series = {
  name: "watchers",
  title: "What an idle watcher takes up",
  what: "The heap that 2,000 subscribers of one quiet task take up, each with a connection of its own, after a collection.",
  reference: "a node:http server that holds as many event streams open, and the SDK in memory",
  async measure(lab) {
    const count = lab.count(2000);
    const weigh = async (subject: Subject, task: () => Promise<string>): Promise<number> => {
      const subscribing = rpc("SubscribeToTask", { id: await task() });
      // The first ones make what all share.
      await lab.generator.openStreams(subject, 50, subscribing);
      const before = await subject.heap();
      await lab.generator.closeStreams(subject);
      await lab.generator.openStreams(subject, 50 + count, subscribing);
      const bytes = (await subject.heap()) - before;
      await lab.generator.closeStreams(subject);
      await lab.close(subject);
      return bytes / count / 1024;
    };
    const weighServer = async (subject: Subject): Promise<number> =>
      weigh(subject, () => taskIn(lab, subject, held));
    const values = await lab.inTurns(
      {
        sqlite: async () => weighServer(await lab.open("parley", { store: lab.newFile() })),
        sdk: async () => weighServer(await lab.open("sdk")),
        bare: async () => weigh(await lab.open("bare"), async () => "none"),
      },
      { rounds: lab.isQuick ? 1 : 3, warmUps: 0 },
    );
    return {
      panels: [
        {
          title: "heap of a watcher",
          unit: "KB",
          better: "less",
          bars: barsOf(values),
        },
      ],
      goals: [
        {
          what: "heap of a watcher beyond that of its bare connection",
          values: values.sqlite.map((value, round) => value - (values.bare[round] ?? 0)),
          unit: " KB",
          atMost: 4,
        },
      ],
    };
  },
};
