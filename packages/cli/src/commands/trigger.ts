import { setTimeout as sleep } from "node:timers/promises";
import { isTerminal } from "@parley/a2a";
import type { CallableService, Task } from "@parley/a2a";
import type { Command } from "../command.js";
import { connectOptions } from "../connect/connect-options.js";
import { withAgent } from "../connect/with-agent.js";
import { parseVersion } from "../connect/parse-connection.js";
import { forwardedText, summaryOf } from "@parley/inspector/receive";
import { defineCommand } from "../options/define-command.js";
import type { Invocation } from "../options/define-command.js";
import { answeredWithoutTask } from "../output/answered-without-task.js";
import { textLine } from "../output/text-form.js";
import { writeJsonLine } from "../output/write-json.js";
import { showTask } from "../render/show-task.js";
import { isSettled, probeMessage } from "../probe/probe-message.js";
import { notifyWebhook } from "../trigger/notify-webhook.js";
import { demoMessages, scenarioOf, stateNamed, triggerStates } from "../trigger/scenarios.js";
import type { TriggerState } from "../trigger/scenarios.js";
import { UsageError } from "../usage-error.js";

const options = [...connectOptions, "url", "token", "message"] as const;

type Triggering = Invocation<(typeof options)[number]>;

/** Brings a task into a state, or tells a webhook that one is in it. */
export const triggerCommand: Command = defineCommand({
  name: "trigger",
  args: "STATE",
  takes: { min: 1, max: 1 },
  about: [
    `Brings about a state of a task: ${triggerStates.join(", ")}.`,
    "",
    "With --url it posts to a webhook what an agent would, from the beginning of a task to the state; the",
    "notifications are not signed. With -a it sends an agent a message and waits until its task is in the state:",
    "a message that Parley's demo agent knows, or --message. For canceled it cancels the task.",
    "The exit code is 1 if the webhook does not answer with 2xx, or if the task does not get into the state.",
  ],
  options,
  examples: [
    "trigger completed --url http://localhost:3000/hook --token secret",
    "trigger input-required -a localhost:4100",
  ],
  run: async (invocation) => {
    const { positionals, values, hint } = invocation;
    const state = triggerStates.find(
      (one) => one === positionals[0]?.toLowerCase().replace("_", "-"),
    );
    if (state === undefined) {
      const message = `there is no state ${positionals[0]}; choose one of ${triggerStates.join(", ")}`;
      throw new UsageError(message, { hint });
    }
    const { url } = values;
    return url === undefined ? driveAgent(invocation, state) : driveWebhook(invocation, url, state);
  },
});

async function driveWebhook(
  { values, output, format, hint }: Triggering,
  url: string,
  state: TriggerState,
): Promise<0 | 1> {
  if (!/^https?:\/\//.test(url)) throw new UsageError(`--url must be a URL, not ${url}`, { hint });
  const { token } = values;
  const version = parseVersion(values["a2a-version"], hint);
  let isRefused = false;
  const posts = notifyWebhook(scenarioOf(state), {
    url,
    version,
    ...(token !== undefined && { token }),
  });
  for await (const { id, step, ...forwarded } of posts) {
    const { status = 0 } = forwarded;
    isRefused ||= status < 200 || status >= 300;
    if (format === "json") writeJsonLine(output.stdout, { id, event: step.response, ...forwarded });
    else {
      const line = `${id} task ${step.task.id}: ${summaryOf(step.response)}: ${forwardedText(forwarded)}`;
      output.stdout.write(textLine("Event", line));
    }
  }
  return isRefused ? 1 : 0;
}

async function driveAgent(invocation: Triggering, state: TriggerState): Promise<0 | 1> {
  const { values, sources, output } = invocation;
  const text = sources.message === "default" ? demoMessages[state] : values.message;
  return withAgent(invocation, async ({ agent, signal }) => {
    const task = await reach(agent.service, { text, state, signal });
    if (task === undefined) throw answeredWithoutTask(invocation);
    showTask(invocation, task);
    const isReached = task.status.state === stateNamed(state);
    if (!isReached) {
      const advice = "give --message TEXT that brings this agent there";
      output.stderr.write(textLine("Warning", `the task is not ${state}; ${advice}`));
    }
    return isReached ? 0 : 1;
  });
}

const pollMs = 100;
const patienceMs = 60_000;

/** Begins a task, and waits until it is in the state or will not get there any more. An answer without a task is `undefined`. */
async function reach(
  service: CallableService,
  {
    text,
    state,
    signal,
  }: { readonly text: string; readonly state: TriggerState; readonly signal: AbortSignal },
): Promise<Task | undefined> {
  const configuration = { returnImmediately: true };
  const { task: begun } = await service.sendMessage({ ...probeMessage(text), configuration });
  if (begun === undefined) return undefined;
  const { id } = begun;
  if (state === "canceled" && !isTerminal(begun.status.state)) return service.cancelTask({ id });
  let task = begun;
  const until = performance.now() + patienceMs;
  while (task.status.state !== stateNamed(state) && !isSettled(task.status.state)) {
    signal.throwIfAborted();
    if (performance.now() > until) break;
    await sleep(pollMs);
    task = await service.getTask({ id });
  }
  return task;
}
