import { createDeferred } from "../../../async/internal.js";
import type { Deferred, LightSignal } from "../../../async/internal.js";
import { textOf } from "../../../protocol/internal.js";
import type { Message, TaskState } from "../../../protocol/internal.js";
import type { LogEvent } from "../../../store/internal.js";
import type { Content } from "../../author/output.js";
import { copyOf } from "./copy-of.js";
import { Counts } from "../../journal/counts.js";
import type { Journal, QuestionRecord } from "../../journal/journal.js";
import type { EventMaker } from "../event-maker.js";
import type { RunSpan } from "../spans/run-span.js";
import type { Teller } from "./teller.js";
import type { TaskWriter } from "../writer/task-writer.js";

/** What questions work with. */
interface QuestionParts {
  readonly journal: Journal;
  readonly writer: TaskWriter;
  readonly teller: Teller;
  readonly events: EventMaker;
  /** Aborted when the run is stopped. */
  readonly stop: LightSignal;
  readonly weigh: (event: object) => number;
  readonly report: (problem: unknown) => void;
  /** A question is committed: the handler may have nothing to do but wait. */
  readonly idle: () => void;
  readonly span: RunSpan | undefined;
}

/** A question that the handler waits for. */
interface Open {
  readonly name: string;
  readonly nth: number;
  readonly answer: Deferred<Message>;
}

/** A question that the handler has called for, and its place among those of its name. */
interface Call {
  readonly state: TaskState;
  readonly content: Content;
  readonly name: string;
  readonly nth: number;
}

/** The questions of one handler: `ask` and `authRequired`. One is open at a time. */
export class Questions {
  readonly #parts: QuestionParts;
  readonly #counts = new Counts();
  /** Settles when the questions that were called for before are answered; absent when there are none. */
  #turn: Promise<void> | undefined;
  #open: Open | undefined;
  /** Settles when the open question is in the log. */
  #committed: Promise<void> | undefined;
  /** Recorded questions that the handler went on without. They stay pending until it does so again. */
  #abandoned: Deferred<Message>[] = [];

  constructor(parts: QuestionParts) {
    this.#parts = parts;
  }

  /** True while the handler may be waiting for an answer. */
  get isOpen(): boolean {
    return this.#open !== undefined || this.#abandoned.length > 0;
  }

  /** True when the question is in the log and its answer is not. */
  get isWaiting(): boolean {
    const record = this.#record;
    return record !== undefined && record.answer === undefined && !record.isClosed;
  }

  ask(state: TaskState, content: Content, name = ""): Promise<Message> {
    const call = { state, content, name, nth: this.#counts.next(name) };
    const recorded = this.#parts.journal.question(name, call.nth);
    const known = recorded && this.#askAgain(call, recorded);
    const answer = known ?? this.#askInTurn(call);
    answer.catch(() => undefined);
    return answer;
  }

  /** Hands the answer over to the handler, if it is there. */
  deliver(): void {
    const answer = this.#record?.answer;
    const open = this.#open;
    if (answer === undefined || open === undefined) return;
    this.#open = undefined;
    open.answer.resolve(answer);
  }

  /** Rejects what the handler waits for. */
  reject(reason: unknown): void {
    const rejected = [...this.#abandoned.splice(0), ...(this.#open ? [this.#open.answer] : [])];
    this.#open = undefined;
    for (const answer of rejected) answer.reject(reason);
  }

  /** The handler goes on without the answer: closes the question, unless the answer was faster. */
  async withdraw(): Promise<void> {
    const { writer, events, journal } = this.#parts;
    const open = this.#open;
    if (open !== undefined) {
      await this.#committed;
      await writer.write(() => {
        const record = journal.question(open.name, open.nth);
        if (record?.answer !== undefined) return undefined;
        return { events: [{ kind: "question-closed" }, events.status("TASK_STATE_WORKING")] };
      });
      this.deliver();
      // The answer may have been faster, and a further question may be open by now.
      if (this.#open === open) this.#open = undefined;
      open.answer.reject(withdrawn());
    }
    for (const abandoned of this.#abandoned.splice(0)) abandoned.reject(withdrawn());
  }

  get #record(): QuestionRecord | undefined {
    const open = this.#open;
    return open && this.#parts.journal.question(open.name, open.nth);
  }

  /** What is recorded of a question; `undefined` when it has to be asked. */
  #askAgain({ content, name, nth }: Call, recorded: QuestionRecord): Promise<Message> | undefined {
    const { teller, report, events } = this.#parts;
    const { sequence, answer, isClosed } = recorded;
    if (answer === undefined && !isClosed) return undefined;
    const reached = teller.reach(sequence);
    if (answer === undefined) {
      const abandoned = createDeferred<Message>();
      this.#abandoned.push(abandoned);
      return abandoned.promise;
    }
    const text = textOf(events.reply(content));
    if (name === "" && text !== recorded.text) report(rephrased(nth, recorded.text, text));
    return reached.then(() => answer);
  }

  #askInTurn(call: Call): Promise<Message> {
    const answer =
      this.#turn === undefined ? this.#ask(call) : this.#turn.then(() => this.#ask(call));
    const leave = (): void => {
      if (this.#turn === turn) this.#turn = undefined;
    };
    const turn = answer.then(leave, leave);
    this.#turn = turn;
    return answer;
  }

  async #ask({ state, content, name, nth }: Call): Promise<Message> {
    const { events, stop, weigh, idle, span } = this.#parts;
    stop.throwIfAborted();
    const status = copyOf(events.status(state, content));
    weigh(status);
    const open: Open = { name, nth, answer: createDeferred() };
    open.answer.promise.catch(() => undefined);
    this.#open = open;
    const question = { kind: "question-asked", ...(name !== "" && { name }), nth } as const;
    await (this.#committed = this.#commit([question, status]));
    span?.asked();
    idle();
    return open.answer.promise;
  }

  async #commit(events: readonly LogEvent[]): Promise<void> {
    const { writer, teller } = this.#parts;
    await teller.live();
    await writer.write(() => ({ events: [...teller.rest(), ...events] }));
  }
}

function withdrawn(): Error {
  return new Error(
    "this question was withdrawn, because the handler yielded or ended without its answer: await ask() before that",
  );
}

const quoted = 80;

function rephrased(nth: number, before: string, now: string): Error {
  const [old, recent] = [before, now].map((text) => JSON.stringify(text.slice(0, quoted)));
  return new Error(
    `question ${nth} was asked as ${old} and is asked as ${recent} now; it keeps its answer. ` +
      "If it means something else now, give it a name: ask(question, { name })",
  );
}
