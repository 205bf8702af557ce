import type { JsonObject, Message } from "@parley/a2a";
import type { Hop } from "../../contract/index.js";
import { readRequest } from "../translate/read-hop.js";

/** The word that the backend puts in the place of secrets. */
const redacted = /\[redacted\]/g;

/** Headers that programs set by themselves. */
const own = new Set([
  "host",
  "connection",
  "content-length",
  "accept-encoding",
  "user-agent",
  "accept-language",
  "sec-fetch-mode",
]);

/** A hop as a command of curl. Secrets are `$TOKEN`. */
export function copyAsCurl(hop: Hop): string {
  const lines = [`curl ${quoted(hop.url)}`];
  if (hop.method !== "GET" && !(hop.method === "POST" && hop.requestBody !== undefined)) {
    lines.push(`-X ${hop.method}`);
  }
  for (const [name, value] of hop.requestHeaders) {
    if (!own.has(name.toLowerCase())) lines.push(`-H ${quoted(`${name}: ${value}`)}`);
  }
  if (hop.requestBody !== undefined && hop.requestBody !== "") {
    lines.push(`--data-raw ${quoted(hop.requestBody)}`);
  }
  if (hop.frames.length > 0) lines.push("--no-buffer");
  return lines.join(" \\\n  ");
}

/** A hop as a command of parley: sends, and what is done with tasks. `undefined` for what has no command. */
export function copyAsParley(hop: Hop, agent: string): string | undefined {
  const { operation, request } = readRequest(hop);
  const at = `-a ${quoted(agent)}`;
  const { id } = request as { id?: string };
  switch (operation) {
    case "sendMessage":
    case "sendStreamingMessage": {
      const { message } = request as { message: Message };
      const isStream = operation === "sendStreamingMessage" ? ["--stream"] : [];
      return ["parley send", ...partFlags(message), at, ...idFlags(message), ...isStream].join(" ");
    }
    case "getTask":
      return `parley task get ${quoted(id ?? "")} ${at}`;
    case "cancelTask":
      return `parley task cancel ${quoted(id ?? "")} ${at}`;
    case "subscribeToTask":
      return `parley task subscribe ${quoted(id ?? "")} ${at}`;
    case "listTasks":
      return `parley task list ${at}`;
    case "createTaskPushNotificationConfig":
    case "getTaskPushNotificationConfig":
    case "listTaskPushNotificationConfigs":
    case "deleteTaskPushNotificationConfig":
    case "getExtendedAgentCard":
    case "callMethod":
      return undefined;
  }
}

/** A hop as a program that calls the agent with this library. */
export function copyAsTypeScript(hop: Hop, agent: string): string {
  const { operation, request } = readRequest(hop);
  const lines = [
    'import { connect } from "@parley/a2a";',
    "",
    `const agent = await connect(${JSON.stringify(agent)}${needsSecret(hop) ? ", { headers: { authorization: `Bearer ${process.env.TOKEN}` } }" : ""});`,
  ];
  if (operation === "sendMessage" || operation === "sendStreamingMessage") {
    const { message } = request as { message: Message };
    const content = literal(contentOf(message));
    const options = {
      ...(message.taskId === undefined ? {} : { taskId: message.taskId }),
      ...(message.contextId === undefined ? {} : { contextId: message.contextId }),
      ...(message.metadata === undefined ? {} : { metadata: message.metadata as JsonObject }),
    };
    const more = Object.keys(options).length === 0 ? "" : `, ${literal(options)}`;
    lines.push(
      ...(operation === "sendMessage"
        ? [`console.log(await agent.send(${content}${more}));`]
        : [`for await (const event of agent.stream(${content}${more})) console.log(event);`]),
    );
  } else {
    lines.push(`console.log(await agent.service.${operation}(${literal(request)}));`);
  }
  return `${lines.join("\n")}\n`;
}

function partFlags({ parts }: Message): readonly string[] {
  return parts.map((part, index) => {
    if (part.text !== undefined)
      return index === 0 ? quoted(part.text) : `--text ${quoted(part.text)}`;
    if (part.url !== undefined) return `--file ${quoted(part.url)}`;
    if (part.raw !== undefined) return `--file ${quoted(part.filename ?? "file")}`;
    return "--data -";
  });
}

function idFlags({ taskId, contextId }: Message): readonly string[] {
  return [
    ...(taskId === undefined ? [] : [`--task-id ${quoted(taskId)}`]),
    ...(contextId === undefined ? [] : [`--context-id ${quoted(contextId)}`]),
  ];
}

function contentOf({ parts }: Message): unknown {
  const [first] = parts;
  return parts.length === 1 && first?.text !== undefined && Object.keys(first).length === 1
    ? first.text
    : parts;
}

function literal(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(redacted, "$TOKEN");
}

function needsSecret({ requestHeaders }: Hop): boolean {
  return requestHeaders.some(
    ([name, value]) => name.toLowerCase() === "authorization" && value !== "",
  );
}

/** For a POSIX shell. A secret is a variable, which single quotes would hide. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`.replace(redacted, `'"$TOKEN"'`);
}
