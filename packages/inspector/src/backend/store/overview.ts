import { taskStates } from "@parley/a2a";
import type { TaskState } from "@parley/a2a";
import type { TaskRecord } from "@parley/a2a/store";
import type { Overview } from "../../contract/index.js";
import { StuckFinder } from "./find-stuck.js";
import type { StuckTerms } from "./find-stuck.js";
import { agentNames } from "./task-source.js";
import type { TaskSource } from "./task-source.js";

/** How many tasks at work are looked at, and how many that wait are shown. */
const maxActive = 500;
const maxWaiting = 200;

const active: readonly TaskState[] = ["TASK_STATE_SUBMITTED", "TASK_STATE_WORKING"];
const waiting: readonly TaskState[] = ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"];

/** What an operator looks at first. */
export class OverviewReader {
  readonly #source: TaskSource;
  readonly #stuck: StuckFinder;
  #underWay: Promise<Overview> | undefined;

  constructor(source: TaskSource, terms?: Partial<StuckTerms>) {
    this.#source = source;
    this.#stuck = new StuckFinder(terms);
  }

  /** Reads it anew; whoever asks meanwhile gets the same. */
  read(): Promise<Overview> {
    this.#underWay ??= this.#read().finally(() => (this.#underWay = undefined));
    return this.#underWay;
  }

  async #read(): Promise<Overview> {
    const { store, server } = this.#source;
    const now = Date.now();
    const [nodes, names] = await Promise.all([store.listNodes(), agentNames(this.#source)]);
    const agents = await Promise.all(
      names.map(async (name) => {
        const counts = await Promise.all(
          taskStates.map(async (state) => [state, await this.#count(name, state)] as const),
        );
        const runs = server?.agents.find((one) => one.name === name)?.figures().runs;
        return {
          name,
          counts: Object.fromEntries(counts.filter(([, count]) => count > 0)),
          push: await store.countDeliveries(name),
          ...(runs !== undefined && {
            runs: {
              active: runs.tasks.working + runs.replies.working,
              queued: runs.waiting,
              limit: runs.tasks.limit,
            },
          }),
        };
      }),
    );
    const working = await this.#records(names, active, maxActive);
    const asking = await this.#records(names, waiting, maxWaiting);
    return {
      at: now,
      agents,
      nodes,
      stuck: await this.#stuck.find(store, working, nodes, now),
      waiting: asking.sort((a, b) => a.statusAt - b.statusAt),
    };
  }

  async #count(agent: string, state: TaskState): Promise<number> {
    const omits = ["artifacts", "history"] as const;
    return (await this.#source.store.list({ agent, state, limit: 1, omits, maxBytes: 1 }))
      .totalSize;
  }

  async #records(
    agents: readonly string[],
    states: readonly TaskState[],
    limit: number,
  ): Promise<TaskRecord[]> {
    const omits = ["artifacts", "history"] as const;
    const pages = await Promise.all(
      agents.flatMap((agent) =>
        states.map((state) =>
          this.#source.store.list({
            agent,
            state,
            limit,
            order: "oldest",
            omits,
            maxBytes: 8 * 1024 * 1024,
          }),
        ),
      ),
    );
    const records = pages.flatMap(({ tasks }) => tasks.map(({ record }) => record));
    return records.sort((a, b) => a.statusAt - b.statusAt).slice(0, limit);
  }
}
