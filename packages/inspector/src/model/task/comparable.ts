import type { Artifact, JsonValue, Message, Task } from "@parley/a2a";

/**
 * A task less what differs between any two: ids and times. Messages and artifacts keep their order, by which they are
 * compared.
 */
export function comparableTask(task: Task): unknown {
  const { status, artifacts = [], history = [], metadata } = task;
  return {
    status: {
      state: status.state,
      ...(status.message && { message: comparableMessage(status.message) }),
    },
    artifacts: artifacts.map(comparableArtifact),
    history: history.map(comparableMessage),
    ...(metadata && { metadata: withoutTimes(metadata) }),
  };
}

function comparableMessage({ role, parts, metadata, extensions }: Message): unknown {
  return {
    role,
    parts: joinedText(parts),
    ...(extensions && { extensions }),
    ...(metadata && { metadata: withoutTimes(metadata) }),
  };
}

function comparableArtifact(given: Artifact): unknown {
  const { artifactId: _, parts, metadata, ...artifact } = given;
  return {
    ...artifact,
    parts: joinedText(parts),
    ...(metadata && { metadata: withoutTimes(metadata) }),
  };
}

/** Successive texts as one: how an agent cuts its answer into chunks is not what it says. */
function joinedText(parts: Artifact["parts"]): unknown[] {
  const joined: unknown[] = [];
  let text: string[] = [];
  const flush = (): void => {
    if (text.length > 0) joined.push({ text: text.join("") });
    text = [];
  };
  for (const part of parts) {
    const isPlain = part.text !== undefined && Object.keys(part).length === 1;
    if (isPlain) text.push(part.text);
    else {
      flush();
      joined.push(part);
    }
  }
  flush();
  return joined;
}

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d/u;

function withoutTimes(value: JsonValue | undefined, depth: number = 0): unknown {
  if (typeof value === "string") return timePattern.test(value) ? "(time)" : value;
  if (typeof value !== "object" || value === null || depth > 20) return value;
  if (Array.isArray(value)) return value.map((one) => withoutTimes(one as JsonValue, depth + 1));
  const members = Object.entries(value as Record<string, JsonValue>);
  return Object.fromEntries(members.map(([name, one]) => [name, withoutTimes(one, depth + 1)]));
}
