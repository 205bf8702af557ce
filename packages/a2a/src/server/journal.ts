import { A2AError, isInterrupted } from "../protocol/index.js";
import type { JsonObject, JsonValue, Message } from "../protocol/index.js";
import type { LogEntry, LogEvent, RunStarted } from "../store/index.js";

/** What a run did at one of its positions. */
type Recorded =
  | { readonly kind: "output"; readonly label: string }
  | { readonly kind: "step"; readonly label: string; readonly result: JsonValue }
  | { readonly kind: "question"; readonly label: string; readonly sequence: number }
  | { readonly kind: "message"; readonly label: string; readonly messageId: string };

/**
 * What the current run of a task has done so far, by position: its first output or step or question is
 * 1, and so on. A run that starts again goes through the same positions and is given what is recorded;
 * beyond the last recorded position it is live.
 */
export class Journal {
  /** The run's number; 0 before any. */
  run = 0;
  messageId = "";
  call: JsonObject = {};
  lastSequence = 0;
  /** The run ended, other than with a question; the next message begins another. */
  isRunOver = false;
  /** Somebody asked for the task to be canceled, and nobody has come to it yet. */
  isCancelRequested = false;
  readonly #recorded = new Map<number, Recorded>();
  readonly #messages: Message[] = [];
  readonly #answers = new Map<number, Message>();
  readonly #taken = new Set<string>();
  #openQuestion: number | undefined;
  #position = 0;

  /** The messages of the log so far, of every run. */
  readonly history: Message[] = [];

  /** Takes in the next entry of the log. */
  add(entry: LogEntry): void {
    const { sequence, event } = entry;
    this.receive(entry);
    if (event.kind === "run-started") {
      this.run = event.run;
      this.messageId = event.messageId;
      this.call = event.call;
      this.#taken.add(event.messageId);
      this.#recorded.clear();
      this.#openQuestion = undefined;
      this.isRunOver = false;
    } else if (event.kind === "message-taken") {
      this.#taken.add(event.messageId);
    } else if (event.kind === "question-asked") {
      this.#openQuestion = sequence;
    } else if (event.kind === "status-changed" && isInterrupted(event.status.state)) {
      this.isRunOver = this.#openQuestion === undefined;
    }
    const recorded = recordedOf(event, sequence);
    if (recorded !== undefined) this.#recorded.set(recorded.position, recorded.what);
  }

  /** Takes in an entry that came while the run works: of those only others' messages and wishes matter. */
  receive({ sequence, event }: LogEntry): void {
    this.lastSequence = sequence;
    if (event.kind === "cancel-requested") this.isCancelRequested = true;
    if (event.kind !== "message-added") return;
    const { message } = event;
    this.history.push(message);
    if (message.role !== "ROLE_USER") return;
    this.#messages.push(message);
    if (this.#openQuestion === undefined) return;
    this.#answers.set(this.#openQuestion, message);
    this.#taken.add(message.messageId);
    this.#openQuestion = undefined;
  }

  /** A run deals with a message from now on. */
  take(messageId: string): void {
    this.#taken.add(messageId);
  }

  /** The next position, and what is recorded there. Refuses code that does something else there now. */
  advance<K extends Recorded["kind"]>(
    kind: K,
    label: string,
  ): { readonly position: number; readonly recorded: Extract<Recorded, { kind: K }> | undefined } {
    this.#position += 1;
    const position = this.#position;
    const recorded = this.#recorded.get(position);
    if (recorded === undefined) return { position, recorded };
    if (recorded.kind !== kind || recorded.label !== label) {
      throw new JournalMismatch(
        `position ${position} of run ${this.run} is recorded as ${recorded.kind} ${recorded.label}, ` +
          `but the agent's code now has ${kind} ${label} there`,
      );
    }
    return { position, recorded: recorded as Extract<Recorded, { kind: K }> };
  }

  /** The answer to a question: the first message after it. */
  answerTo(questionSequence: number): Message | undefined {
    return this.#answers.get(questionSequence);
  }

  /** The oldest message that no run has dealt with. */
  unread(): Message | undefined {
    return this.#messages.find(({ messageId }) => !this.#taken.has(messageId));
  }

  /** The message with an id, among all of the task. */
  message(messageId: string): Message {
    const found = this.history.find((message) => message.messageId === messageId);
    if (found === undefined) throw new JournalMismatch(`message ${messageId} is not in the log`);
    return found;
  }

  /** How the run after this one begins. */
  nextRun({ messageId }: Message): RunStarted {
    return { kind: "run-started", run: this.run + 1, messageId, call: this.call };
  }
}

/** The log and the agent's code do not fit together: the code changed while a task was under way. */
export class JournalMismatch extends A2AError {
  constructor(message: string) {
    super("INTERNAL", message);
    this.name = "A2AError";
  }
}

function recordedOf(
  event: LogEvent,
  sequence: number,
): { readonly position: number; readonly what: Recorded } | undefined {
  switch (event.kind) {
    case "step-recorded": {
      const { position, name, result } = event;
      return { position, what: { kind: "step", label: name, result } };
    }
    case "question-asked":
      return { position: event.position, what: { kind: "question", label: "", sequence } };
    case "message-taken": {
      const { position, messageId } = event;
      return { position, what: { kind: "message", label: "", messageId } };
    }
    case "status-changed":
    case "artifact-updated":
      if (event.position === undefined) return undefined;
      return { position: event.position, what: { kind: "output", label: outputLabel(event) } };
    case "task-created":
    case "message-added":
    case "run-started":
    case "cancel-requested":
      return undefined;
  }
}

/** What an output must have in common with the one that is recorded in its place. */
export function outputLabel(
  event: Extract<LogEvent, { kind: "status-changed" | "artifact-updated" }>,
): string {
  return event.kind === "status-changed" ? "status" : `artifact ${event.artifact.artifactId}`;
}
