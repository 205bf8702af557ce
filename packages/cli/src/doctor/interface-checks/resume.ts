import { isTerminal } from "@parley/a2a";
import { isSettled, probeMessage, stateOf, taskIdOf } from "../../probe/probe-message.js";
import type { InterfaceCheck } from "../check.js";
import { broken, ok, skipped, warn } from "@parley/inspector/probe";

/** A stream that broke can be taken up again. Begins one, leaves it after the first event and subscribes. */
export const resume: InterfaceCheck = {
  name: "resume",
  proves: "A task goes on when its stream breaks, and a caller can subscribe to the rest.",
  sends: true,
  async run({ session, target, options, begun }) {
    if (target.card.capabilities.streaming !== true)
      return skipped("the card declares no streaming");
    const begin = await session.stream("sendStreamingMessage", probeMessage(options.message), {
      isEnough: ({ response }) => taskIdOf(response) !== undefined,
    });
    const last = begin.arrivals.at(-1)?.response;
    const id = last === undefined ? undefined : taskIdOf(last);
    const state = last === undefined ? undefined : stateOf(last);
    if (id !== undefined) begun.add(id);
    const more = "--message TEXT that keeps the agent at work for a second shows more";
    if (id === undefined || (state !== undefined && isSettled(state))) {
      return skipped(`the agent answered at once; ${more}`);
    }
    const rest = await session.stream("subscribeToTask", { id });
    if (rest.arrivals.length === 0 && rest.error !== undefined) {
      const now = await session.call("getTask", { id });
      if (now.result !== undefined && isTerminal(now.result.status.state)) {
        return skipped(`the task had ended before it could be subscribed to; ${more}`);
      }
      return broken(
        `a subscription to a task at work is answered with ${rest.error.code}: ${rest.error.message}`,
        "serve SubscribeToTask (before 1.0: tasks/resubscribe) wherever streaming is declared; all servers behind this address need it",
      );
    }
    const states = rest.arrivals.flatMap(({ response }) => stateOf(response) ?? []);
    if (rest.isCutShort || states.some(isSettled)) {
      return ok(`taken up again; ${rest.arrivals.length} events followed`);
    }
    const now = await session.call("getTask", { id });
    const known = now.result?.status.state ?? "unknown";
    return warn(
      `the subscription ended after ${rest.arrivals.length} events without the end of the task, whose state is ${known}`,
      "let a subscription go on until the task ends or asks for input",
    );
  },
};
