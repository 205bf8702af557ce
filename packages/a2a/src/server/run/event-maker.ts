import type { Clock } from "../../async/internal.js";
import { A2AError, defaultLimits, statusDetailsUri } from "../../protocol/internal.js";
import type { Artifact, JsonObject, Message, TaskState } from "../../protocol/internal.js";
import { Cursor, parseArtifact, parseMessage } from "../../protocol/parse/internal.js";
import type { Parser } from "../../protocol/parse/internal.js";
import { MalformedOutput } from "../author/malformed-output.js";
import { artifactOf, isArtifact, isStatus, partsOf } from "../author/output.js";
import type { Content, Output } from "../author/output.js";
import type { ArtifactEvent, OutputEvent, StatusEvent } from "../journal/output-event.js";
import { timestampOf } from "../timestamp.js";
import { placeMessage } from "./place-message.js";

interface EventMakerParts {
  readonly taskId: string;
  readonly contextId: string;
  readonly answerId: string;
  readonly newId: () => string;
  readonly clock: Pick<Clock, "now">;
}

/** Turns the outputs of a handler into events of its task. */
export class EventMaker {
  /** The artifact that a handler's strings and parts stream into. */
  readonly answerId: string;
  readonly #parts: EventMakerParts;

  constructor(parts: EventMakerParts) {
    this.answerId = parts.answerId;
    this.#parts = parts;
  }

  /** The event of an output. `hasAnswer` when there is an answer that a string or a part continues. */
  output(output: Output, hasAnswer: boolean): OutputEvent {
    if (typeof output === "string") return this.#chunk(output, hasAnswer);
    if (isStatus(output)) {
      const { progress, metadata } = output;
      const details = progress !== undefined && { [statusDetailsUri]: { progress } };
      const all = { ...metadata, ...details };
      const isEmpty = Object.keys(all).length === 0;
      return this.status("TASK_STATE_WORKING", output.status, isEmpty ? undefined : all);
    }
    if (!isArtifact(output)) return this.#chunk(output, hasAnswer);
    const { append, lastChunk = append === undefined } = output;
    const artifact: Artifact = checked(parseArtifact, artifactOf(output));
    return {
      kind: "artifact-updated",
      artifact,
      ...(append === true && { append }),
      ...(lastChunk && { lastChunk }),
    };
  }

  /** The event of the content that a handler returned, which is the end of its answer. */
  answer(content: Content, hasAnswer: boolean): ArtifactEvent {
    return { ...this.#chunk(content, hasAnswer), lastChunk: true };
  }

  /** Says of an artifact whose chunks are on their way already that it is complete. */
  closing(artifactId: string): ArtifactEvent {
    return {
      kind: "artifact-updated",
      // A chunk has at least one part. The fold adds no empty text to an artifact.
      artifact: { artifactId, parts: [{ text: "" }] },
      append: true,
      lastChunk: true,
    };
  }

  status(state: TaskState, content?: Content, metadata?: JsonObject): StatusEvent {
    return {
      kind: "status-changed",
      status: {
        state,
        ...(content !== undefined && { message: this.#message(content) }),
        timestamp: timestampOf(this.#parts.clock.now()),
      },
      ...(metadata !== undefined && { metadata }),
    };
  }

  /** A direct reply, which belongs to no task. */
  reply(content: Content): Message {
    const { newId, contextId } = this.#parts;
    const parts = partsOf(content);
    const made = { messageId: newId(), role: "ROLE_AGENT", parts, contextId } as const;
    return isPlainText(content) ? made : checked(parseMessage, made);
  }

  #message(content: Content): Message {
    const { taskId, contextId } = this.#parts;
    return placeMessage(this.reply(content), taskId, contextId);
  }

  #chunk(content: Content, append: boolean): ArtifactEvent {
    const made = { artifactId: this.answerId, parts: partsOf(content) };
    const artifact = isPlainText(content) ? made : checked(parseArtifact, made);
    return append
      ? { kind: "artifact-updated", artifact, append }
      : { kind: "artifact-updated", artifact };
  }
}

/** Most outputs are text, and plain text needs no validation except that it is Unicode. */
function isPlainText(content: Content): boolean {
  return typeof content === "string" && content !== "" && content.isWellFormed();
}

const agentLimits = { ...defaultLimits, maxParts: 100_000 };

/** Validates what an agent says, such as a part without content or data that is no JSON. */
function checked<T>(parse: Parser<T>, value: T): T {
  try {
    return parse(value, new Cursor({ code: "INTERNAL", limits: agentLimits }));
  } catch (error) {
    throw new MalformedOutput(A2AError.from(error).message, { cause: error });
  }
}
