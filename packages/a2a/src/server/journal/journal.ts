import { isInterrupted, textOf } from "../../protocol/internal.js";
import type { JsonObject, JsonValue, Message, TraceContext } from "../../protocol/internal.js";
import { weigh } from "../../store/internal.js";
import type { LogEntry, RunResumed, RunStarted, StreamRecorded } from "../../store/internal.js";

/** The result of a step. */
export interface StepRecord {
  readonly sequence: number;
  readonly result: JsonValue | undefined;
}

/** A question, and what became of it. It is open while it has no answer and is not closed. */
export interface QuestionRecord {
  readonly sequence: number;
  /** Its words. */
  text: string;
  answer: Message | undefined;
  isClosed: boolean;
}

/** A message that the run took while it worked. */
export interface MessageRecord {
  readonly sequence: number;
  readonly message: Message;
}

/** A named stream that came to its end. */
export interface StreamRecord extends StreamRecorded {
  readonly sequence: number;
}

/** A message that no run has answered or taken. */
interface Unread {
  readonly message: Message;
  readonly call: JsonObject;
  /** How many messages of the task come before it. */
  readonly before: number;
}

/**
 * What the current run of a task has done so far, found by kind, name and number: the second step "search", the
 * first question. A run whose handler is begun again gets what is recorded; what is not recorded it does now. So
 * code may change under tasks that wait. Outputs are not recorded here.
 *
 * Messages are told apart by their place in the log, because callers may use a message id twice.
 */
export class Journal {
  /** The number of the current run; 0 before the first. */
  run = 0;
  /** How often the handler of the current run has been begun. */
  attempt = 0;
  /** How often the handler has been begun since its last record. Outputs do not count: each begin can tell others. */
  vainAttempts = 0;
  /** Where the current run began in the log. */
  begunAt = 0;
  /** The message that the run answers, what is known of its call, and the messages of the task before it. */
  message: Message | undefined;
  call: JsonObject = {};
  history: readonly Message[] = [];
  /** The trace of the call that brought the message or the latest answer. */
  wokenBy: TraceContext | undefined;
  /** The span in which a handler of the task worked last. */
  trace: TraceContext | undefined;
  /** The last log entry that the journal has taken in. */
  lastSequence = 0;
  /** Where the records of the current run are in the log, in order. */
  records: number[] = [];
  /** The last output of the current run; 0 when it has none. */
  lastOutput = 0;
  /** The run has ended, or the store has lost the message that it was to answer; the next message starts the next run. */
  isOver = false;
  /** False when a message let the task go on and no node has taken it up since. */
  isTakenUp = true;
  /** The caller has canceled the task and has sent no message since. */
  isCancelRequested = false;
  readonly #said: Message[] = [];
  readonly #unread: Unread[] = [];
  #steps: Records<StepRecord> | undefined;
  #questions: Records<QuestionRecord> | undefined;
  #messages: Records<MessageRecord> | undefined;
  #streams: Records<StreamRecord> | undefined;
  #openQuestion: QuestionRecord | undefined;

  /** Takes in the next entry of the log. */
  add({ sequence, event }: Pick<LogEntry, "sequence" | "event">): void {
    this.lastSequence = sequence;
    switch (event.kind) {
      case "run-started":
        this.#begin(event, sequence);
        return;
      case "run-resumed":
        if (event.attempt > this.attempt) this.vainAttempts += 1;
        this.attempt = event.attempt;
        this.isTakenUp = true;
        this.trace = event.trace ?? this.trace;
        return;
      case "step-recorded":
        this.#advance(sequence);
        (this.#steps ??= new Records()).add(event.name, event, { sequence, result: event.result });
        return;
      case "question-asked":
        this.#advance(sequence);
        this.#openQuestion = { sequence, text: "", answer: undefined, isClosed: false };
        (this.#questions ??= new Records()).add(event.name ?? "", event, this.#openQuestion);
        return;
      case "question-closed":
        if (this.#openQuestion !== undefined) this.#openQuestion.isClosed = true;
        this.#openQuestion = undefined;
        return;
      case "stream-recorded":
        this.#advance(sequence);
        (this.#streams ??= new Records()).add(event.name, event, { ...event, sequence });
        return;
      case "message-taken": {
        const message = this.#takeUnread(event.messageId)?.message;
        if (message === undefined) return;
        this.#advance(sequence);
        (this.#messages ??= new Records()).add("", event, { sequence, message });
        return;
      }
      case "message-added":
        this.#receive(event.message, event.call);
        return;
      case "cancel-requested":
        this.isCancelRequested = true;
        return;
      case "status-changed": {
        const { state, message } = event.status;
        if (message !== undefined) this.#said.push(message);
        if (isInterrupted(state)) {
          this.isOver = this.#openQuestion === undefined;
          if (this.#openQuestion !== undefined && message !== undefined) {
            this.#openQuestion.text = textOf(message);
          }
        } else if (message !== undefined) this.lastOutput = sequence;
        return;
      }
      case "artifact-updated":
        this.lastOutput = sequence;
        return;
      case "task-created":
        return;
    }
  }

  /** Roughly how many bytes of messages and results it holds. */
  get bytes(): number {
    const messages = this.#said.length === 0 ? [this.message] : this.#said;
    const steps = [...(this.#steps?.all() ?? [])].map(({ result }) => result);
    return weigh([...messages, ...steps]);
  }

  /** The recorded step of this name and number. */
  step(name: string, nth: number): StepRecord | undefined {
    return this.#steps?.find(name, nth);
  }

  /** The recorded question; those without a name have the name "". */
  question(name: string, nth: number): QuestionRecord | undefined {
    return this.#questions?.find(name, nth);
  }

  stream(name: string, nth: number): StreamRecord | undefined {
    return this.#streams?.find(name, nth);
  }

  /** The nth message that the run took. */
  taken(nth: number): MessageRecord | undefined {
    return this.#messages?.find("", nth);
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

  /** Records that a node takes up the current run: to go on, or to begin again. */
  resumed(how: "goes-on" | "begins-again", revision: string): RunResumed {
    const attempt = how === "goes-on" ? this.attempt : this.attempt + 1;
    return { kind: "run-resumed", run: this.run, attempt, revision };
  }

  #receive(message: Message, call: JsonObject = {}): void {
    this.isCancelRequested = false;
    const question = this.#openQuestion;
    if (question === undefined) {
      if (this.isOver) this.isTakenUp = false;
      this.#unread.push({ message, call, before: this.#said.length });
    } else {
      this.isTakenUp = false;
      question.answer = message;
      this.wokenBy = traceOfCall(call);
      this.#openQuestion = undefined;
    }
    this.#said.push(message);
  }

  #begin({ run, messageId, call, trace }: RunStarted, sequence: number): void {
    const taken = this.#takeUnread(messageId);
    this.run = run;
    this.attempt = 1;
    this.vainAttempts = 1;
    this.begunAt = sequence;
    this.message = taken?.message;
    this.call = call;
    this.wokenBy = traceOfCall(call);
    this.trace = trace ?? this.trace;
    this.history = this.#said.slice(0, taken?.before);
    this.isOver = taken === undefined;
    this.isTakenUp = true;
    this.records = [];
    this.lastOutput = 0;
    this.#steps = undefined;
    this.#questions = undefined;
    this.#messages = undefined;
    this.#streams = undefined;
    this.#openQuestion = undefined;
  }

  #advance(sequence: number): void {
    this.records.push(sequence);
    this.vainAttempts = 0;
  }

  #takeUnread(messageId: string): Unread | undefined {
    const index = this.#unread.findIndex(({ message }) => message.messageId === messageId);
    return index < 0 ? undefined : this.#unread.splice(index, 1)[0];
  }
}

/** The trace of a call, as it is recorded with a message. */
export function traceOfCall({ trace }: JsonObject): TraceContext | undefined {
  return trace as TraceContext | undefined;
}

/** The records of one kind, by name and number. */
class Records<T> {
  readonly #byName = new Map<string, T[]>();
  /** Records of earlier versions, which have positions instead of numbers, by name and in order of position. */
  readonly #positions = new Map<string, number[]>();

  add(name: string, at: { readonly nth?: number; readonly position?: number }, record: T): void {
    let records = this.#byName.get(name);
    if (records === undefined) this.#byName.set(name, (records = []));
    if (at.nth !== undefined) {
      records[at.nth - 1] = record;
      return;
    }
    let positions = this.#positions.get(name);
    if (positions === undefined) this.#positions.set(name, (positions = []));
    const position = at.position ?? Infinity;
    const later = positions.findIndex((other) => other > position);
    const index = later < 0 ? positions.length : later;
    positions.splice(index, 0, position);
    records.splice(index, 0, record);
  }

  *all(): Iterable<T> {
    for (const records of this.#byName.values()) yield* Object.values(records);
  }

  find(name: string, nth: number): T | undefined {
    return this.#byName.get(name)?.[nth - 1];
  }
}
