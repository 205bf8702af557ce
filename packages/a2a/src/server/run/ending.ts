import { neverSettles } from "../../async/internal.js";
import type { Message } from "../../protocol/internal.js";
import type { LogEvent } from "../../store/internal.js";
import { malformedCode, MalformedOutput } from "../author/malformed-output.js";
import { isCompleted, isInputRequired } from "../author/output.js";
import type { Content, Outcome } from "../author/output.js";
import type { Journal } from "../journal/journal.js";
import type { StatusEvent } from "../journal/output-event.js";
import { copyOf } from "./tools/copy-of.js";
import { EndOfRun, failureMetadata } from "./end-of-run.js";
import type { EventMaker } from "./event-maker.js";
import type { RunSpan } from "./spans/run-span.js";
import type { Tools } from "./tools/tools.js";
import type { TaskWriter } from "./writer/task-writer.js";

/** "over": for good, or until its task gets a message. "continues": a message is left for the next run, which begins now. */
export type Ended = "over" | "continues";

/** What the end of a run needs of it. */
interface EndingParts {
  readonly journal: Journal;
  readonly writer: TaskWriter;
  readonly events: EventMaker;
  readonly tools: Tools;
  readonly newId: () => string;
  readonly span: RunSpan | undefined;
  readonly isCanceled: () => boolean;
  /** Withdraws a question that is open. */
  readonly goOnWithoutAnswer: () => Promise<void>;
  /** Answers the caller directly, without a task. */
  readonly reply: (reply: Message) => void;
}

/** Brings a run to its end: with what its handler returned, or with what it threw. Pending for ever once the task is lost. */
export class Ending {
  readonly #parts: EndingParts;

  constructor(parts: EndingParts) {
    this.#parts = parts;
  }

  /** Answers the caller directly if the outcome is all that the handler has told. Returns whether it is. */
  replies(outcome: Outcome): boolean {
    const { writer, tools, events } = this.#parts;
    if (writer.isLost || outcome === undefined || !this.#isReply(outcome)) return false;
    const made = events.reply(outcome);
    const reply = typeof outcome === "string" ? made : copyOf(made);
    tools.weigh(reply);
    this.#parts.reply(reply);
    return true;
  }

  /** Ends a run whose outcome is no direct reply. */
  async conclude(outcome: Outcome): Promise<Ended> {
    const { writer, tools, events } = this.#parts;
    if (writer.isLost) return neverSettles();
    if (tools.questions?.isOpen === true) await this.#parts.goOnWithoutAnswer();
    const { teller } = tools;
    if (teller.isRepeating) await teller.live();
    if (this.#parts.isCanceled()) {
      const isAnswer = outcome !== undefined && !isInputRequired(outcome) && !isCompleted(outcome);
      const last = isAnswer ? teller.ending(outcome) : teller.rest();
      return this.#close(events.status("TASK_STATE_CANCELED"), last);
    }
    if (outcome !== undefined && isInputRequired(outcome)) {
      return this.#closeWith("TASK_STATE_INPUT_REQUIRED", outcome.inputRequired);
    }
    if (outcome !== undefined && isCompleted(outcome)) {
      return this.#closeWith("TASK_STATE_COMPLETED", outcome.completed);
    }
    return this.#close(events.status("TASK_STATE_COMPLETED"), teller.ending(outcome ?? undefined));
  }

  async concludeBadly(error: unknown): Promise<Ended> {
    const { writer, tools, events, newId } = this.#parts;
    if (writer.isLost) return neverSettles();
    const rest = await this.#restOfFailed();
    if (this.#parts.isCanceled()) return this.#close(events.status("TASK_STATE_CANCELED"), rest);
    if (error instanceof EndOfRun) {
      const { state, reason, metadata } = error;
      try {
        const status = copyOf(events.status(state, reason, metadata));
        tools.weigh(status);
        return await this.#close(status, rest);
      } catch (problem) {
        if (!(problem instanceof EndOfRun)) return this.concludeBadly(problem);
        return this.#close(events.status(problem.state, problem.reason), rest);
      }
    }
    const reference = newId();
    tools.report(error, reference);
    return this.#close(this.#failure(error, reference), rest);
  }

  #failure(error: unknown, reference: string): StatusEvent {
    const { events } = this.#parts;
    const state = "TASK_STATE_FAILED";
    if (!(error instanceof MalformedOutput)) {
      return events.status(state, `The agent failed (${reference}).`);
    }
    const reason = `The agent gave a malformed answer (${reference}).`;
    return events.status(state, reason, failureMetadata(reason, { code: malformedCode }));
  }

  /** True when what the handler returned is all that it has told: then it needs no task. */
  #isReply(outcome: NonNullable<Outcome>): outcome is Content {
    const { writer, isCanceled } = this.#parts;
    const isContent = !isInputRequired(outcome) && !isCompleted(outcome);
    return isContent && !writer.isPlanned && !isCanceled();
  }

  #closeWith(
    state: "TASK_STATE_INPUT_REQUIRED" | "TASK_STATE_COMPLETED",
    content: Content,
  ): Promise<Ended> {
    const { tools, events } = this.#parts;
    const status = copyOf(events.status(state, content));
    tools.weigh(status);
    return this.#close(status, tools.teller.ending());
  }

  /** What a failed handler has told too little of. What cannot be told any more is left out. */
  async #restOfFailed(): Promise<readonly LogEvent[]> {
    const { tools } = this.#parts;
    try {
      await this.#parts.goOnWithoutAnswer();
      await tools.teller.live();
      return tools.teller.rest();
    } catch {
      return [];
    }
  }

  /**
   * Writes the run's last events. If an unread message arrived meanwhile, the task does not settle: the append
   * starts the next run, which answers that message.
   */
  async #close(ending: StatusEvent, before: readonly LogEvent[] = []): Promise<Ended> {
    const { writer, journal } = this.#parts;
    if (writer.isLost || writer.isClosing) return neverSettles();
    const { state } = ending.status;
    const givesWay = state === "TASK_STATE_COMPLETED" || state === "TASK_STATE_INPUT_REQUIRED";
    let continues = false;
    const isWritten = await writer.writeLast(() => {
      const next = givesWay ? journal.nextRun() : undefined;
      continues = next !== undefined;
      if (next !== undefined) return { events: [...before, next] };
      return { events: [...before, ending], node: null };
    });
    if (!isWritten) return neverSettles();
    if (!continues) this.#parts.span?.closes(state);
    return continues ? "continues" : "over";
  }
}
