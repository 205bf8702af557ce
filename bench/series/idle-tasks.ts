import { setTimeout as sleep } from "node:timers/promises";
import { sending } from "../load/request.js";
import type { Lab } from "../suite/lab.js";
import type { Series } from "../suite/series.js";
import type { Subject } from "../suite/subject.js";

const held = sending("hold 1", { configuration: { returnImmediately: true } });

export const idleTasks: Series = {
  name: "idle-tasks",
  title: "10,000 idle live tasks",
  what: "The share of a core that a server uses while 10,000 agents wait for something and nobody asks anything.",
  reference: "the same server without a task, and the SDK in memory",
  async measure(lab) {
    const count = lab.count(10_000);
    const settings = { maxConcurrentRuns: 2 * count, maxConcurrentRunsPerPrincipal: 2 * count };
    const subjects = {
      tasks: await lab.open("parley", { store: lab.newFile(), settings }),
      none: await lab.open("parley", { store: lab.newFile(), settings }),
      sdk: await lab.open("sdk"),
    };
    for (const subject of [subjects.tasks, subjects.sdk]) await begin(lab, subject, count);
    // The engine collects what the beginning has left behind some seconds later, which costs more than the tasks do.
    for (const subject of Object.values(subjects)) await subject.heap();
    await sleep(lab.ms(10_000));
    const share = async (subject: Subject): Promise<number> => {
      const forMs = lab.ms(3000);
      return (await subject.cpuFor(() => sleep(forMs))) / 1000 / forMs;
    };
    const values = await lab.inTurns(
      {
        tasks: () => share(subjects.tasks),
        none: () => share(subjects.none),
        sdk: () => share(subjects.sdk),
      },
      { rounds: lab.isQuick ? 1 : 5, warmUps: 0 },
    );
    return {
      panels: [
        {
          title: "processor time",
          unit: "cores",
          better: "less",
          bars: [
            { label: "Parley, SQLite", values: values.tasks, isOurs: true },
            { label: "Parley without tasks", values: values.none, isOurs: true },
            { label: "SDK, memory", values: values.sdk, isOurs: false },
          ],
        },
      ],
      goals: [
        {
          what: "share of a core with 10,000 idle tasks",
          values: values.tasks,
          unit: " cores",
          atMost: 0.01,
        },
      ],
    };
  },
};

async function begin(lab: Lab, subject: Subject, count: number): Promise<void> {
  await lab.generator.http(subject, {
    requests: [held],
    shape: "busy",
    connections: 64,
    forMs: 120_000,
    limit: count,
  });
  const deadline = performance.now() + 30_000;
  while ((await subject.tell<number>("waiting")) < count) {
    if (performance.now() > deadline) throw new Error(`fewer than ${count} agents are at work`);
    await sleep(50);
  }
}
