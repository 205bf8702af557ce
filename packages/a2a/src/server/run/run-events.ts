import type { Clock } from "../../async/internal.js";
import { defaultLimits, statusDetailsUri } from "../../protocol/internal.js";
import type { Artifact, JsonObject, Message, TaskState } from "../../protocol/internal.js";
import { Cursor, parseArtifact, parseMessage } from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import type { LogEvent } from "../../store/internal.js";
import { artifactParts, partsOf } from "../author/output.js";
import type { Content, Output } from "../author/output.js";
import { timestampOf } from "../timestamp.js";
import { placeMessage } from "./place-message.js";

type StatusEvent = Extract<LogEvent, { kind: "status-changed" }>;
type OutputEvent = Extract<LogEvent, { kind: "status-changed" | "artifact-updated" }>;

export interface EventMaker {
  /** The event of an output. A string continues the answer after the first one has begun it. */
  output(output: Output): OutputEvent;
  /** The event of the content that a handler returned. */
  answer(content: Content): OutputEvent;
  status(state: TaskState, content?: Content, metadata?: JsonObject): StatusEvent;
  /** A direct reply, which belongs to no task. */
  reply(content: Content): Message;
}

/** Turns the outputs of a handler into events of its task. */
export function createEventMaker(options: {
  readonly taskId: string;
  readonly contextId: string;
  /** The artifact that a handler's strings stream into. */
  readonly answerId: string;
  readonly newId: () => string;
  readonly clock: Pick<Clock, "now">;
}): EventMaker {
  const { taskId, contextId, answerId, newId, clock } = options;
  let hasAnswer = false;

  const reply = (content: Content): Message => {
    const parts = partsOf(content);
    const made = { messageId: newId(), role: "ROLE_AGENT", parts, contextId } as const;
    return isPlainText(content) ? made : checked(parseMessage, made);
  };

  const message = (content: Content): Message => placeMessage(reply(content), taskId, contextId);

  const status: EventMaker["status"] = (state, content, metadata) => ({
    kind: "status-changed",
    status: {
      state,
      ...(content !== undefined && { message: message(content) }),
      timestamp: timestampOf(clock.now()),
    },
    ...(metadata !== undefined && { metadata }),
  });

  const answer = (artifact: Artifact): OutputEvent => {
    const append = hasAnswer;
    hasAnswer = true;
    if (append) return { kind: "artifact-updated", artifact, append };
    return { kind: "artifact-updated", artifact };
  };

  const chunk = (text: string): OutputEvent => {
    const artifact = { artifactId: answerId, parts: [{ text }] };
    return answer(isPlainText(text) ? artifact : checked(parseArtifact, artifact));
  };

  return {
    reply,
    status,
    answer: (content) =>
      answer(checked(parseArtifact, { artifactId: answerId, parts: partsOf(content) })),
    output(output) {
      if (typeof output === "string") return chunk(output);
      if ("status" in output) {
        const { progress, metadata } = output;
        const details = progress !== undefined && { [statusDetailsUri]: { progress } };
        const all = { ...metadata, ...details };
        const isEmpty = Object.keys(all).length === 0;
        return status("TASK_STATE_WORKING", output.status, isEmpty ? undefined : all);
      }
      const { artifact: artifactId, name, description, extensions, metadata } = output;
      if (artifactId === answerId) hasAnswer = true;
      const artifact: Artifact = {
        artifactId,
        parts: artifactParts(output),
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(extensions !== undefined && { extensions }),
        ...(metadata !== undefined && { metadata }),
      };
      return {
        kind: "artifact-updated",
        artifact: checked(parseArtifact, artifact),
        ...(output.append === true && { append: true }),
        ...(output.lastChunk === true && { lastChunk: true }),
      };
    },
  };
}

/** Most outputs are text, and plain text needs no validation except that it is Unicode. */
function isPlainText(content: Content): boolean {
  return typeof content === "string" && content !== "" && content.isWellFormed();
}

const agentLimits = { ...defaultLimits, maxParts: 100_000 };

/** Validates what an agent says, such as a part without content or data that is no JSON. */
function checked<T>(parse: Parser<T>, value: T): T {
  return parse(value, new Cursor({ code: "INTERNAL", limits: agentLimits }));
}
