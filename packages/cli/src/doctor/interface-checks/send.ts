import { setTimeout as sleep } from "node:timers/promises";
import { isWorking, probeMessage } from "../../probe/probe-message.js";
import type { InterfaceCheck } from "../check.js";
import { broken, ok } from "@parley/inspector/probe";

const pollMs = 100;

/** A message is answered. Asks to get the task at once, so that it can be canceled if it takes long. */
export const send: InterfaceCheck = {
  name: "send",
  proves: "A message is answered with a message, or with a task that can be followed to its end.",
  sends: true,
  async run({ session, target, options, begun }) {
    const startedAt = performance.now();
    const elapsed = (): number => Math.round(performance.now() - startedAt);
    const configuration = { returnImmediately: true };
    const { result, error } = await session.call("sendMessage", {
      ...probeMessage(options.message),
      configuration,
    });
    if (result === undefined) {
      return broken(
        `the message ${JSON.stringify(options.message)} is answered with ${error?.code}: ${error?.message}`,
        "see the log of the agent; --message TEXT sends another message, --timeout waits longer",
      );
    }
    if (result.message !== undefined) return ok(`a message after ${elapsed()} ms`);
    let { task } = result;
    begun.add(task.id);
    while (isWorking(task) && elapsed() < target.timeoutMs) {
      await sleep(pollMs);
      const read = await session.call("getTask", { id: task.id });
      if (read.result === undefined) {
        return broken(
          `the task ${task.id} was begun, and reading it is answered with ${read.error?.code}: ${read.error?.message}`,
          "let all servers behind this address share one store, and keep tasks while they work",
        );
      }
      task = read.result;
    }
    const state = task.status.state.replace("TASK_STATE_", "").toLowerCase();
    return ok(`a task, ${state} after ${elapsed()} ms`);
  },
};
