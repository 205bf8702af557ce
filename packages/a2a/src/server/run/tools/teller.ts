import { nextTurn } from "../../../async/internal.js";
import type { Clock } from "../../../async/internal.js";
import type { Artifact, Writable } from "../../../protocol/internal.js";
import type { LogEvent } from "../../../store/internal.js";
import { isArtifact, isStatus } from "../../author/output.js";
import type { Content, Output } from "../../author/output.js";
import { copyOf } from "./copy-of.js";
import type { Journal } from "../../journal/journal.js";
import type { ArtifactEvent, OutputEvent } from "../../journal/output-event.js";
import { taskAt, textOfPart } from "../../journal/past.js";
import { Repeat } from "../../journal/repeat.js";
import { Retelling } from "../../journal/retelling.js";
import type { EventMaker } from "../event-maker.js";
import type { RunSpan } from "../spans/run-span.js";
import type { TaskWriter } from "../writer/task-writer.js";

/** What a teller works with. */
interface TellerParts {
  readonly journal: Journal;
  readonly writer: TaskWriter;
  readonly events: EventMaker;
  /** The weight of an event. Throws when the event or its task is too large. */
  readonly weigh: (event: object) => number;
  readonly clock: Clock;
  readonly span: RunSpan | undefined;
}

/**
 * Tells what a handler yields. The first attempt of a run tells everything as it comes. A handler that is begun
 * again covers ground that its earlier attempts have covered:
 *
 * - As long as records are left that it has not called for, its outputs are held. When it awaits one of them, what
 *   is held came before something that has already happened: it was told then, and is dropped.
 * - From the last record that it asked for, its outputs are compared with what had been told, see `Retelling`.
 */
export class Teller {
  readonly #parts: TellerParts;
  readonly #repeat: Repeat | undefined;
  /** The artifacts of the task when the handler was begun again. */
  readonly #artifacts: readonly Artifact[];
  /** The answer has begun: a string or a part continues it. */
  #hasAnswer = false;
  /** The answer has grown since it was last said to be complete. */
  #isAnswerOpen = false;
  #lastChunk: Writable<ArtifactEvent> | undefined;
  /** How many characters of text the answer has. */
  #answerLength = 0;
  /** The same of other artifacts. */
  #lengths: Map<string, number> | undefined;
  /** Settles with the end of the turn in which the handler asks for records; absent when it asks for none. */
  #turn: Promise<void> | undefined;

  constructor(parts: TellerParts, artifacts: readonly Artifact[]) {
    this.#parts = parts;
    this.#artifacts = artifacts;
    const { attempt, records, lastOutput } = parts.journal;
    if (attempt > 1 && records.length + lastOutput > 0) this.#repeat = new Repeat(parts.journal);
  }

  /** True for a handler that is begun again. */
  get isRepeating(): boolean {
    return this.#repeat !== undefined;
  }

  /** Tells an output. Returns a promise if the handler has to wait; never when the run has lost its task. */
  say(output: Output): Promise<void> | undefined {
    if (output === "") return undefined;
    if (this.#repeat !== undefined) return this.#sayAgain(this.#repeat, output);
    const made = this.#parts.events.output(output, this.#hasAnswer);
    const event = typeof output === "string" ? made : copyOf(made);
    if (event.kind === "artifact-updated") this.#grow(event, event);
    return this.#write(event);
  }

  /** The handler called for what is recorded at this place of the log, and may do other things before it awaits it. */
  call(sequence: number): void {
    this.#repeat?.call(sequence);
  }

  /**
   * The handler asks for what is recorded at this place of the log. It gets it with the end of this turn of the event
   * loop: if it has told something by then, it did not wait for the record, as with
   * `const both = Promise.all([…]); yield "Looking"; await both`. Resolves with false when what was told up to this
   * record has to be told again, because the handler does other things than it did before the record.
   */
  async reach(sequence: number): Promise<boolean> {
    const repeat = this.#repeat;
    if (repeat === undefined) return true;
    repeat.call(sequence);
    await (this.#turn ??= this.#endOfTurn());
    repeat.reach(sequence, (id) => this.#artifacts.some(({ artifactId }) => artifactId === id));
    return sequence <= repeat.point;
  }

  /** The handler does something that is not recorded, or ends: what is held is told, and from here on it is live. */
  async live(): Promise<void> {
    const repeat = this.#repeat;
    if (repeat === undefined) return;
    await this.#turn;
    await (repeat.started ??= this.#goLive(repeat));
  }

  /**
   * What has to be told where the run, or one artifact, comes to a stop: artifacts that are shorter this time. Call
   * this when the handler is live.
   */
  rest(artifactId?: string): LogEvent[] {
    return this.#repeat?.retelling?.end(artifactId) ?? [];
  }

  /** The last events of a run that completes: the content that it returned, and the end of its answer. */
  ending(content?: Content): LogEvent[] {
    if (content !== undefined) {
      const made = copyOf(this.#parts.events.answer(content, this.#hasAnswer));
      const told = this.#compared(made);
      this.#grow(made, told);
      if (told !== undefined) {
        this.#parts.weigh(told);
        return [told, ...this.rest()];
      }
    }
    const rest = this.rest();
    if (!this.#isAnswerOpen) return rest;
    this.#isAnswerOpen = false;
    const last = this.#lastChunk;
    if (last === undefined || rest.length > 0 || !this.#parts.writer.isAhead(last)) {
      return [...rest, this.#parts.events.closing(this.#parts.events.answerId)];
    }
    last.lastChunk = true;
    return [];
  }

  /** How many characters of text an artifact has, of this run or as it found it. Call this when it is live. */
  lengthOf(artifactId: string): number {
    return artifactId === this.#parts.events.answerId
      ? this.#answerLength
      : (this.#lengths?.get(artifactId) ?? 0);
  }

  async #sayAgain(repeat: Repeat, output: Output): Promise<void> {
    repeat.tell();
    const { events, weigh } = this.#parts;
    // Throws here and now what telling it would throw.
    const bytes = weigh(events.output(output, false));
    const copy = typeof output === "string" ? output : structuredClone(output);
    if (repeat.isHolding) {
      repeat.hold(copy, this.#artifactOf(output), bytes);
      if (!repeat.isHolding) await this.live();
      return;
    }
    await this.live();
    await this.#tellAgain(copy);
  }

  async #endOfTurn(): Promise<void> {
    await nextTurn(this.#parts.clock);
    this.#turn = undefined;
  }

  async #goLive(repeat: Repeat): Promise<void> {
    const { writer, journal, events } = this.#parts;
    let before = this.#artifacts;
    if (journal.lastOutput > repeat.point) {
      const past = await writer.look((live) => taskAt(live, repeat.point));
      before = past.artifacts;
      repeat.retelling = new Retelling({ before, now: this.#artifacts, statuses: past.toldAfter });
    }
    for (const { artifactId, parts } of before) {
      const length = parts.reduce((sum, part) => sum + textOfPart(part).length, 0);
      if (artifactId === events.answerId) {
        this.#hasAnswer = true;
        this.#answerLength = length;
        this.#isAnswerOpen = true;
      } else (this.#lengths ??= new Map()).set(artifactId, length);
    }
    for (const output of repeat.takeHeld()) await this.#tellAgain(output);
  }

  async #tellAgain(output: Output): Promise<void> {
    const made = this.#parts.events.output(output, this.#hasAnswer);
    const told = this.#compared(made);
    if (made.kind === "artifact-updated") {
      this.#grow(made, told?.kind === "artifact-updated" ? told : undefined);
    }
    if (told !== undefined) await this.#write(told);
  }

  #compared<E extends OutputEvent>(made: E): E | undefined {
    const retelling = this.#repeat?.retelling;
    return retelling === undefined ? made : (retelling.tell(made) as E | undefined);
  }

  /** Takes note of a chunk, and of the event that tells it, if any does. */
  #grow({ artifact, append }: ArtifactEvent, told: ArtifactEvent | undefined): void {
    const { artifactId, parts } = artifact;
    let length = append === true ? this.lengthOf(artifactId) : 0;
    for (const part of parts) length += textOfPart(part).length;
    if (artifactId !== this.#parts.events.answerId) {
      (this.#lengths ??= new Map()).set(artifactId, length);
      return;
    }
    this.#answerLength = length;
    this.#hasAnswer = true;
    this.#isAnswerOpen = true;
    this.#lastChunk = told;
  }

  #write(event: OutputEvent): Promise<void> | undefined {
    this.#parts.span?.told();
    return this.#parts.writer.tell(event, this.#parts.weigh(event));
  }

  #artifactOf(output: Output): string | undefined {
    if (isArtifact(output)) return output.artifact;
    return isStatus(output) ? undefined : this.#parts.events.answerId;
  }
}
