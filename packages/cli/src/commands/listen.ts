import { randomBytes } from "node:crypto";
import { once } from "node:events";
import process from "node:process";
import type { CallableService } from "@parley/a2a";
import type { Command } from "../command.js";
import { connectOptions } from "../connect/connect-options.js";
import { withAgent } from "../connect/with-agent.js";
import { findEvent, logEvent } from "../listen/event-log.js";
import {
  createReader,
  forward,
  forwardedText,
  openWebhook,
  summaryOf,
} from "@parley/inspector/receive";
import type { Delivered } from "@parley/inspector/receive";
import { defineCommand } from "../options/define-command.js";
import type { Invocation } from "../options/define-command.js";
import { parseInRange } from "../options/parse-in-range.js";
import { answeredWithoutTask } from "../output/answered-without-task.js";
import { textLine } from "../output/text-form.js";
import { writeJsonLine } from "../output/write-json.js";
import { probeMessage } from "../probe/probe-message.js";
import { UsageError } from "../usage-error.js";

const options = [
  ...connectOptions,
  "forward-to",
  "task-id",
  "message",
  "token",
  "port",
  "host",
  "public-url",
  "count",
  "event-log",
  "resend",
] as const;

type Listening = Invocation<(typeof options)[number]>;

/** Receives push notifications, shows them, and passes them on. */
export const listenCommand: Command = defineCommand({
  name: "listen",
  about: [
    "Receives push notifications of an agent: checks token and signature, prints a line for each, and posts them as",
    "they came to --forward-to, whose status it answers. The agent repeats what is not answered with 2xx.",
    "",
    "Registers its webhook for the task --task-id, or with the message --message, and removes it at the end. With",
    "neither it prints webhook and token, to be registered by hand. The agent has to reach the webhook: --public-url",
    "is its address in front of a tunnel or proxy. A Parley server on this machine needs --push-allow-private.",
    "",
    "Notifications are kept in --event-log, for their owner alone. --resend ID posts one of them again.",
  ],
  options,
  examples: [
    'listen -a localhost:4100 --message "stream 5 500" --forward-to http://localhost:3000/hook',
    "listen --resend 4f1c… --forward-to http://localhost:3000/hook",
  ],
  run: async (invocation) => {
    const { values, hint } = invocation;
    const target = values["forward-to"];
    if (target !== undefined && !/^https?:\/\//.test(target)) {
      throw new UsageError(`--forward-to must be a URL, not ${target}`, { hint });
    }
    if (values.resend !== undefined) return resend(invocation, values.resend);
    if (values["agent-card"] === undefined) return receive(invocation, {});
    return withAgent(invocation, ({ agent, signal }) =>
      receive(invocation, {
        service: agent.service,
        agent: agentUrl(invocation, agent.url),
        signal,
      }),
    );
  },
});

async function resend({ values, output, hint }: Listening, id: string): Promise<0 | 1> {
  const { "forward-to": target, "event-log": path } = values;
  if (target === undefined) throw new UsageError("--resend needs --forward-to", { hint });
  const event = await findEvent(path, id);
  if (event === undefined) throw new UsageError(`${path} has no notification ${id}`, { hint });
  const forwarded = await forward(target, event);
  output.stdout.write(textLine("Resent", `${id}: ${forwardedText(forwarded)}`));
  return isGood(forwarded.status) ? 0 : 1;
}

/** Where the keys of the agent are looked for: at its reference, unless that is a file. */
function agentUrl({ values }: Listening, url: string): string {
  const reference = values["agent-card"] ?? "";
  return /^https?:\/\//.test(reference) ? reference : url;
}

interface Source {
  readonly service?: CallableService;
  readonly agent?: string;
  readonly signal?: AbortSignal;
}

async function receive(invocation: Listening, { service, agent, signal }: Source): Promise<0> {
  const { values, output, format, hint } = invocation;
  const { "forward-to": target, "event-log": path, count } = values;
  const port = parseInRange("--port", values.port, hint, { min: 0, max: 65_535 });
  const wanted =
    count === undefined
      ? Infinity
      : parseInRange("--count", count, hint, { min: 1, max: 1_000_000 });
  const token = values.token ?? randomBytes(24).toString("base64url");
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let taken = 0;
  let shown = 0;

  const take = async (delivered: Delivered): Promise<number> => {
    if (taken >= wanted) return 503;
    const notification = await read(delivered).catch((error: unknown) => {
      output.stderr.write(
        textLine("Refused", error instanceof Error ? error.message : String(error)),
      );
      return undefined;
    });
    if (notification === undefined) return 401;
    if (taken >= wanted) return 503;
    taken += 1;
    const { id, taskId, event, signature, sequence } = notification;
    await logEvent(path, { id, receivedAt: new Date().toISOString(), ...delivered });
    const forwarded = target === undefined ? undefined : await forward(target, delivered);
    if (format === "json") {
      const ids = { id, taskId, ...(sequence !== undefined && { sequence }) };
      writeJsonLine(output.stdout, { ...ids, signature, event, ...(forwarded && { forwarded }) });
    } else {
      const passed = forwarded === undefined ? "" : `, forwarded: ${forwardedText(forwarded)}`;
      const signed = signature === "verified" ? "signature verified" : "not signed";
      const line = `${id} task ${taskId}: ${summaryOf(event)}, ${signed}${passed}`;
      output.stdout.write(textLine("Event", line));
    }
    shown += 1;
    if (shown >= wanted) setImmediate(end);
    return forwarded === undefined ? 204 : (forwarded.status ?? 502);
  };

  await using webhook = await openWebhook({ host: values.host, port }, take);
  const url = values["public-url"] ?? webhook.url;
  const read = createReader({ url, token, ...(agent !== undefined && { agent }) });
  const stopped = Promise.race([once(process, "SIGINT"), once(process, "SIGTERM"), ended]);
  const registration = await register(invocation, { service, url, token });
  if (format === "text") {
    output.stdout.write(textLine("Webhook", url));
    if (registration !== undefined) output.stdout.write(textLine("Task ID", registration.taskId));
    else output.stdout.write(textLine("Token", token));
  }
  await Promise.race([stopped, aborted(signal)]);
  await registration?.remove();
  signal?.throwIfAborted();
  return 0;
}

interface Registration {
  readonly taskId: string;
  remove(): Promise<void>;
}

async function register(
  invocation: Listening,
  {
    service,
    url,
    token,
  }: {
    readonly service?: CallableService | undefined;
    readonly url: string;
    readonly token: string;
  },
): Promise<Registration | undefined> {
  if (service === undefined) return undefined;
  const { values, sources } = invocation;
  const config = { url, token };
  const named = values["task-id"];
  if (named === undefined && sources.message === "default") return undefined;
  const taskId = named ?? (await begin(service, values.message, config));
  if (taskId === undefined) throw answeredWithoutTask(invocation);
  const created =
    named === undefined
      ? undefined
      : await service.createTaskPushNotificationConfig({ taskId, ...config });
  return {
    taskId,
    async remove() {
      const id = created?.id ?? (await findConfig(service, taskId, url));
      if (id === undefined) return;
      // The task may be gone, and its webhooks with it.
      await service.deleteTaskPushNotificationConfig({ taskId, id }).catch(() => undefined);
    },
  };
}

async function begin(
  service: CallableService,
  text: string,
  taskPushNotificationConfig: { readonly url: string; readonly token: string },
): Promise<string | undefined> {
  const configuration = { returnImmediately: true, taskPushNotificationConfig };
  const { task } = await service.sendMessage({ ...probeMessage(text), configuration });
  return task?.id;
}

async function findConfig(
  service: CallableService,
  taskId: string,
  url: string,
): Promise<string | undefined> {
  const list = await service.listTaskPushNotificationConfigs({ taskId }).catch(() => undefined);
  return list?.configs?.find((one) => one.url === url)?.id;
}

function isGood(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

async function aborted(signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return new Promise(() => undefined);
  if (!signal.aborted) await once(signal, "abort");
}
