import { rpc, sending } from "../load/request.js";
import { taskIn } from "../suite/load-on.js";
import type { Series } from "../suite/series.js";
import { barsOf } from "../suite/sides.js";
import { ratios } from "../suite/statistics.js";
import type { Subject } from "../suite/subject.js";

const held = sending("hold 100000", { configuration: { returnImmediately: true } });
const streamed = sending("stream 1", { method: "SendStreamingMessage" });

export const fanOut: Series = {
  name: "fan-out",
  title: "One event to 2,000 watchers",
  what: "The processor time that a server uses to tell 2,000 subscribers of a task about a chunk of 100 B, over a connection each.",
  reference: "a node:http server that writes the same bytes to as many responses",
  async measure(lab) {
    const count = lab.count(2000);
    const events = lab.isQuick ? 3 : 20;
    const parley = await lab.open("parley", { store: lab.newFile() });
    const sdk = await lab.open("sdk");
    const bare = await lab.open("bare");
    for (const subject of [parley, sdk]) {
      const id = await taskIn(lab, subject, held);
      await lab.generator.openStreams(subject, count, rpc("SubscribeToTask", { id }));
    }
    await lab.generator.openStreams(bare, count, rpc("SubscribeToTask", { id: "none" }));
    const answer = await lab.generator.read(parley, streamed);
    const event = /(?:id: .*\n)?data: .*"artifactUpdate".*\n\n/.exec(answer)?.[0];
    if (event === undefined) throw new Error(`expected an event in ${answer}`);
    const micros = async (subject: Subject): Promise<number> => {
      const all = await subject.cpuFor(async () => {
        for (let told = 0; told < events; told += 1) {
          await lab.generator.untilAllHear(subject, () => subject.tell("emit", { event }));
        }
      });
      return all / events / 1000;
    };
    const values = await lab.inTurns({
      sqlite: () => micros(parley),
      sdk: () => micros(sdk),
      bare: () => micros(bare),
    });
    for (const subject of [parley, sdk, bare]) await lab.generator.closeStreams(subject);
    return {
      panels: [
        {
          title: "processor time of an event to all",
          unit: "ms",
          better: "less",
          bars: barsOf(values),
        },
      ],
      goals: [
        {
          what: "against writing the same bytes",
          values: ratios(values.sqlite, values.bare),
          unit: "×",
          atMost: 1.3,
        },
      ],
    };
  },
};
