import type { LightSignal } from "../../../async/internal.js";
import type { Artifact, JsonValue, Message, TraceContext } from "../../../protocol/internal.js";
import {
  checkNextMessage,
  checkQuestion,
  checkStep,
  checkStream,
} from "../../author/check-call.js";
import { checkContent } from "../../author/check-output.js";
import type { Content } from "../../author/output.js";
import type { FailureOptions, QuestionOptions } from "../../author/run-context.js";
import type { Journal } from "../../journal/journal.js";
import { weigh } from "../../../store/internal.js";
import type { RunEnvironment } from "../../run-environment.js";
import { requestOf } from "../call-record.js";
import { EndOfRun, failureMetadata } from "../end-of-run.js";
import { HandlerContext } from "../handler-context.js";
import type { GivenContext } from "../handler-context.js";
import { Inbox } from "./inbox.js";
import { NamedStreams } from "./named-stream.js";
import { Questions } from "./questions.js";
import type { EventMaker } from "../event-maker.js";
import type { RunSpan } from "../spans/run-span.js";
import { Steps } from "./steps.js";
import { Teller } from "./teller.js";
import type { TaskWriter } from "../writer/task-writer.js";

/** What the tools of a handler work with. */
interface ToolsParts {
  readonly environment: RunEnvironment;
  readonly journal: Journal;
  readonly writer: TaskWriter;
  readonly events: EventMaker;
  /** Aborted when the run is stopped. */
  readonly stop: LightSignal;
  /** The artifacts of the task, for a handler that is begun again. */
  readonly artifacts: readonly Artifact[];
  /** The handler may have nothing to do any more but wait for an answer. */
  readonly idle: () => void;
  readonly span: RunSpan | undefined;
}

/** What the tools share. */
interface Shared extends Pick<
  ToolsParts,
  "journal" | "writer" | "events" | "stop" | "idle" | "span"
> {
  readonly teller: Teller;
  readonly weigh: (event: object) => number;
  readonly report: (problem: unknown) => void;
}

/** What one handler tells and calls with. Each is made when the handler first needs it: a direct reply needs none. */
export class Tools {
  readonly #parts: ToolsParts;
  #shared: Shared | undefined;
  #context: HandlerContext | undefined;
  #questions: Questions | undefined;
  #steps: Steps | undefined;
  #streams: NamedStreams | undefined;
  #inbox: Inbox | undefined;

  constructor(parts: ToolsParts) {
    this.#parts = parts;
  }

  get teller(): Teller {
    return this.#theShared.teller;
  }

  /** Absent until the handler asks. */
  get questions(): Questions | undefined {
    return this.#questions;
  }

  /** Waits for what the handler has begun. Rejects with a failure that nobody awaited. */
  async finish(): Promise<void> {
    await this.#steps?.done();
    const unread = this.#streams?.findUnread();
    if (unread !== undefined) this.report(unread);
  }

  /** True when the handler has begun what `finish` looks after. */
  get hasWork(): boolean {
    return this.#steps !== undefined || this.#streams !== undefined;
  }

  /** Absent until the handler waits for a message. */
  get inbox(): Inbox | undefined {
    return this.#inbox;
  }

  /** The context that the handler gets. */
  contextOf(given: GivenContext): HandlerContext {
    const context = new HandlerContext(given, {
      signal: () => this.#parts.stop.toAbortSignal(),
      ask: (question, options) => this.#ask("TASK_STATE_INPUT_REQUIRED", question, options),
      authRequired: (explanation, options) =>
        this.#ask("TASK_STATE_AUTH_REQUIRED", explanation, options),
      step: (name, work, options) => {
        checkStep(name, work, options);
        return this.#theSteps.run(name, work, options);
      },
      stream: (name, source, options) => {
        checkStream(name, source, options);
        return this.#theStreams.open(name, source, options);
      },
      nextMessage: (options) => {
        checkNextMessage(options);
        return this.#theInbox.next(options?.signal);
      },
      fail,
      reject,
      report: (problem) => this.report(problem),
    });
    this.#context = context;
    return context;
  }

  /** Replaces the credentials that the handler has. */
  renewCredentials(credentials: JsonValue): void {
    if (this.#context !== undefined) this.#context.credentials = credentials;
  }

  /** Replaces the trace that the handler has. */
  renewTrace(trace: TraceContext | undefined): void {
    if (this.#context !== undefined && trace !== undefined) this.#context.trace = trace;
  }

  report(problem: unknown, reference?: string): void {
    const { environment, writer, journal } = this.#parts;
    const trace = this.#context?.trace;
    const call = { ...requestOf(journal.call), ...(trace && { trace }) };
    environment.report(problem, writer.identity.publicId, reference, call);
  }

  /** The weight of an event. Throws `EndOfRun` when the event or its task is too large. */
  weigh(event: object): number {
    const { environment, writer } = this.#parts;
    const { maxTaskBytes, maxEventBytes } = environment.settings;
    const bytes = weigh(event);
    if (bytes > maxEventBytes) {
      throw new EndOfRun("TASK_STATE_FAILED", `one output has more than ${maxEventBytes} bytes`);
    }
    if (bytes + writer.bytes > maxTaskBytes) {
      throw new EndOfRun("TASK_STATE_FAILED", `the task has more than ${maxTaskBytes} bytes`);
    }
    return bytes;
  }

  get #theShared(): Shared {
    if (this.#shared !== undefined) return this.#shared;
    const { journal, writer, events, stop, artifacts, idle, span } = this.#parts;
    const { clock } = this.#parts.environment;
    const weighEvent = (event: object): number => this.weigh(event);
    this.#shared = {
      journal,
      writer,
      events,
      stop,
      idle,
      span,
      teller: new Teller({ journal, writer, events, weigh: weighEvent, clock, span }, artifacts),
      weigh: weighEvent,
      report: (problem) => this.report(problem),
    };
    return this.#shared;
  }

  #ask(
    state: "TASK_STATE_INPUT_REQUIRED" | "TASK_STATE_AUTH_REQUIRED",
    content: Content,
    options: QuestionOptions | undefined,
  ): Promise<Message> {
    const call = state === "TASK_STATE_INPUT_REQUIRED" ? "ask()" : "authRequired()";
    checkContent(content, call);
    checkQuestion(call, options);
    this.#questions ??= new Questions(this.#theShared);
    return this.#questions.ask(state, content, options?.name);
  }

  get #theSteps(): Steps {
    const { clock } = this.#parts.environment;
    return (this.#steps ??= new Steps(this.#theShared, clock));
  }

  get #theStreams(): NamedStreams {
    return (this.#streams ??= new NamedStreams(this.#theShared));
  }

  get #theInbox(): Inbox {
    return (this.#inbox ??= new Inbox(this.#theShared));
  }
}

function fail(reason: Content, error?: FailureOptions): never {
  const content = checkContent(reason, "fail()");
  throw new EndOfRun("TASK_STATE_FAILED", content, failureMetadata(content, error));
}

function reject(reason: Content): never {
  throw new EndOfRun("TASK_STATE_REJECTED", checkContent(reason, "reject()"));
}
