import { isInterrupted } from "../../protocol/internal.js";
import type { JsonObject, JsonValue, Message } from "../../protocol/internal.js";
import type { LogEntry, LogEvent, RunStarted } from "../../store/internal.js";

/** What a run did at one of its positions. */
type Recorded =
  | { readonly kind: "output"; readonly label: string }
  | { readonly kind: "step"; readonly label: string; readonly result: JsonValue }
  | { readonly kind: "question"; readonly label: string; readonly sequence: number }
  | { readonly kind: "message"; readonly label: string; readonly message: Message };

type OutputEvent = Extract<LogEvent, { kind: "status-changed" | "artifact-updated" }>;

/** A message that no run has answered or taken. */
interface Unread {
  readonly message: Message;
  readonly call: JsonObject;
  /** How many messages of the task come before it. */
  readonly before: number;
}

/**
 * What the current run of a task has done so far, by position: its first output, step or question has position
 * 1, and so on. A run that starts again goes through the same positions and gets what is recorded there; after
 * the last recorded position it is live.
 *
 * Messages are told apart by their place in the log, because callers may use a message id twice.
 */
export class Journal {
  /** The number of the current run; 0 before the first. */
  run = 0;
  /** The message that the run answers, what is known of its call, and the messages of the task before it. */
  message: Message | undefined;
  call: JsonObject = {};
  history: readonly Message[] = [];
  /** The last log entry that the journal has taken in. */
  lastSequence = 0;
  /** The run has ended; the next message starts the next run. */
  isOver = false;
  /** The caller has canceled the task and has sent no message since. */
  isCancelRequested = false;
  /** The first mismatch. It fails the run even if the handler catches the error. */
  mismatch: JournalMismatch | undefined;
  readonly #said: Message[] = [];
  readonly #unread: Unread[] = [];
  /** By position. */
  #recorded: Recorded[] = [];
  /** By the sequence of the question. */
  readonly #answers: { readonly question: number; readonly message: Message }[] = [];
  #openQuestion: number | undefined;
  #position = 0;

  /** Takes in the next entry of the log. */
  add(entry: LogEntry): void {
    const { sequence, event } = entry;
    this.receive(entry);
    switch (event.kind) {
      case "run-started":
        this.#begin(event);
        return;
      case "step-recorded": {
        const { position, name, result } = event;
        this.#recorded[position] = { kind: "step", label: name, result };
        return;
      }
      case "question-asked":
        this.#openQuestion = sequence;
        this.#recorded[event.position] = { kind: "question", label: "", sequence };
        return;
      case "message-taken": {
        const message = this.#takeUnread(event.messageId)?.message;
        if (message === undefined) return;
        this.#recorded[event.position] = { kind: "message", label: "", message };
        return;
      }
      case "status-changed":
        if (event.status.message !== undefined) this.#said.push(event.status.message);
        if (isInterrupted(event.status.state)) this.isOver = this.#openQuestion === undefined;
        this.#recordOutput(event);
        return;
      case "artifact-updated":
        this.#recordOutput(event);
        return;
      case "task-created":
      case "message-added":
      case "cancel-requested":
        return;
    }
  }

  /** Takes in an entry that arrives while the run works. What the run itself has done is not recorded again. */
  receive({ sequence, event }: LogEntry): void {
    this.lastSequence = sequence;
    if (event.kind === "cancel-requested") this.isCancelRequested = true;
    if (event.kind !== "message-added") return;
    const { message, call = {} } = event;
    this.isCancelRequested = false;
    if (this.#openQuestion === undefined) {
      this.#unread.push({ message, call, before: this.#said.length });
    } else {
      this.#answers.push({ question: this.#openQuestion, message });
      this.#openQuestion = undefined;
    }
    this.#said.push(message);
  }

  /** The next position, and what is recorded there. Throws `JournalMismatch` when that was something else. */
  advance<K extends Recorded["kind"]>(
    kind: K,
    label = "",
  ): { readonly position: number; readonly recorded: Extract<Recorded, { kind: K }> | undefined } {
    this.#position += 1;
    const position = this.#position;
    const recorded = this.#recorded[position];
    if (recorded === undefined) return { position, recorded };
    if (recorded.kind !== kind || recorded.label !== label) {
      const error = new JournalMismatch(
        `position ${position} of run ${this.run} is recorded as ${recorded.kind} ${recorded.label}, ` +
          `but the agent's code now has ${kind} ${label} there`,
      );
      this.mismatch ??= error;
      throw error;
    }
    return { position, recorded: recorded as Extract<Recorded, { kind: K }> };
  }

  /** The position of the next output; `undefined` when it is recorded. Throws as `advance` does. */
  advanceOutput(event: OutputEvent): number | undefined {
    // Most outputs are new, and there is one for every chunk: only recorded ones need their label.
    const isNew = this.#recorded[this.#position + 1] === undefined;
    if (isNew) return (this.#position += 1);
    this.advance("output", outputLabel(event));
    return undefined;
  }

  /** The answer to a question: the first message after it. */
  answerTo(questionSequence: number): Message | undefined {
    return this.#answers.findLast(({ question }) => question === questionSequence)?.message;
  }

  /** Takes the oldest unread message. */
  take(): Message | undefined {
    return this.#unread.shift()?.message;
  }

  /** The start of the run that answers the oldest unread message. */
  nextRun(): RunStarted | undefined {
    const [next] = this.#unread;
    if (next === undefined) return undefined;
    const { message, call } = next;
    return { kind: "run-started", run: this.run + 1, messageId: message.messageId, call };
  }

  #begin({ run, messageId, call }: RunStarted): void {
    const taken = this.#takeUnread(messageId);
    this.run = run;
    this.message = taken?.message;
    this.call = call;
    this.history = this.#said.slice(0, taken?.before);
    this.isOver = false;
    this.#recorded = [];
    this.#openQuestion = undefined;
  }

  #takeUnread(messageId: string): Unread | undefined {
    const index = this.#unread.findIndex(({ message }) => message.messageId === messageId);
    return index < 0 ? undefined : this.#unread.splice(index, 1)[0];
  }

  #recordOutput(event: OutputEvent): void {
    if (event.position === undefined) return;
    this.#recorded[event.position] = { kind: "output", label: outputLabel(event) };
  }
}

/** The agent's code does something else than the log has recorded: the code changed while a task was under way. */
class JournalMismatch extends Error {
  constructor(message: string) {
    super(message);
    this.name = "JournalMismatch";
  }
}

/** What an output must have in common with the recorded output at the same position. */
function outputLabel(event: OutputEvent): string {
  return event.kind === "status-changed" ? "status" : `artifact ${event.artifact.artifactId}`;
}
