import type { InterfaceCheck } from "../check.js";
import { broken, ok, skipped } from "@parley/inspector/probe";

const reads = 6;

/** A task is found by every server behind the address. */
export const taskKept: InterfaceCheck = {
  name: "task-kept",
  proves: "A task that was begun is found by each of several reads, on connections of their own.",
  sends: true,
  async run({ session, begun }) {
    const [id] = [...begun].slice(-1);
    if (id === undefined) return skipped("the agent answered without a task");
    const outcomes = await Promise.all(
      Array.from({ length: reads }, () => session.call("getTask", { id })),
    );
    const lost = outcomes.filter(({ error }) => error !== undefined);
    if (lost.length === 0) return ok(`${reads} of ${reads} reads found the task`);
    const [first] = lost;
    return broken(
      `${lost.length} of ${reads} reads did not find the task that was just begun (${first?.error?.code})`,
      "let all servers behind this address share one store (for Parley: --store postgres://…), or send a caller always to the same server",
    );
  },
};
