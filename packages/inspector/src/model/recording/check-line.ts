import { taskStates } from "@parley/a2a";
import type { RecordingLine } from "../../contract/index.js";
import type { kindOf } from "../log/describe-entry.js";

type Fields = Readonly<Record<string, unknown>>;

/** A line of a recording; or what is wrong with it, in words. The page trusts what has passed. */
export function checkLine(value: unknown): RecordingLine | string {
  if (!isObject(value)) return "is not an object";
  const problem = problemOf(value);
  return problem ?? (value as unknown as RecordingLine);
}

function problemOf(line: Fields): string | undefined {
  switch (line["kind"]) {
    case "recording":
      if (line["format"] !== 1)
        return `has the format ${String(line["format"])}; this inspector reads 1`;
      return missing(line, { version: "string", savedAt: "number" });
    case "hop":
      return within(
        line["hop"],
        { id: "number", method: "string", url: "string", timing: "object" },
        hopLists,
      );
    case "resumed":
      return within(line["resumption"], { taskId: "string", at: "number", by: "string" });
    case "delivery":
      return within(line["delivery"], { id: "number", at: "number", body: "string" }, [
        "headers",
        "checks",
      ]);
    case "push":
      return within(line["attempt"], {
        id: "number",
        taskId: "string",
        host: "string",
        sequence: "number",
        attempt: "number",
        startedAt: "number",
      });
    case "task":
      return (
        within(line["record"], recordFields) ?? stateProblem((line["record"] as Fields)["state"])
      );
    case "entry":
      return missing(line, { taskId: "string" }) ?? entryProblem(line["entry"]);
    default:
      return `is of an unknown kind, ${String(line["kind"]).slice(0, 40)}`;
  }
}

const hopLists = ["requestHeaders", "frames"];

const recordFields = {
  taskId: "string",
  agent: "string",
  contextId: "string",
  statusAt: "number",
  sequence: "number",
} as const;

function entryProblem(entry: unknown): string | undefined {
  const problem = within(entry, { sequence: "number", at: "number", event: "object" });
  if (problem !== undefined) return problem;
  const event = (entry as Fields)["event"] as Fields;
  const kind = event["kind"];
  if (typeof kind !== "string" || !Object.hasOwn(eventFields, kind)) {
    return `has an event of an unknown kind, ${String(kind).slice(0, 40)}`;
  }
  const fields = eventFields[kind as keyof typeof eventFields];
  return missing(event, fields) ?? contentProblem(event);
}

const eventFields = {
  "task-created": { taskId: "string", status: "object" },
  "message-added": { message: "object" },
  "status-changed": { status: "object" },
  "artifact-updated": { artifact: "object" },
  "run-started": { run: "number" },
  "run-resumed": { run: "number", attempt: "number", revision: "string" },
  "step-recorded": { name: "string" },
  "stream-recorded": { name: "string", from: "number", to: "number" },
  "question-asked": {},
  "question-closed": {},
  "message-taken": { messageId: "string" },
  "cancel-requested": {},
} as const satisfies Record<Parameters<typeof kindOf>[0]["kind"], Readonly<Record<string, string>>>;

function contentProblem({ status, message, artifact }: Fields): string | undefined {
  if (isObject(status)) {
    const problem = stateProblem(status["state"]) ?? messageProblem(status["message"]);
    if (problem !== undefined) return problem;
  }
  if (isObject(artifact)) {
    if (typeof artifact["artifactId"] !== "string") return "has an artifact without artifactId";
    if (!areParts(artifact["parts"]))
      return "has an artifact whose parts are not a list of objects";
  }
  return messageProblem(message);
}

function messageProblem(message: unknown): string | undefined {
  if (message === undefined) return undefined;
  return isObject(message) && areParts(message["parts"]) && typeof message["role"] === "string"
    ? undefined
    : "has a message without role or parts";
}

function areParts(parts: unknown): boolean {
  return Array.isArray(parts) && parts.every(isObject);
}

function stateProblem(state: unknown): string | undefined {
  return taskStates.some((known) => known === state) ? undefined : "has an unknown state";
}

function within(
  value: unknown,
  fields: Readonly<Record<string, string>>,
  lists: readonly string[] = [],
): string | undefined {
  if (!isObject(value)) return "has no content";
  for (const name of lists) if (!Array.isArray(value[name])) return `has no list ${name}`;
  return missing(value, fields);
}

function missing(value: Fields, fields: Readonly<Record<string, string>>): string | undefined {
  for (const [name, type] of Object.entries(fields)) {
    const found = value[name];
    if (typeof found !== type || found === null) return `has no ${name} that is ${article(type)}`;
  }
  return undefined;
}

function article(type: string): string {
  return type === "object" ? "an object" : `a ${type}`;
}

function isObject(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
