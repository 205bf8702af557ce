import type {
  JsonObject,
  JsonValue,
  Message,
  Principal,
  TraceContext,
} from "../../protocol/internal.js";
import type { RunContext } from "../author/run-context.js";
import type { StepAttempt, StepOptions } from "../author/step.js";

/** The members of a context that the run implements. */
export interface RunActions extends Pick<
  RunContext,
  "ask" | "authRequired" | "nextMessage" | "fail" | "reject" | "stream" | "report"
> {
  readonly step: <T>(
    name: string,
    work: (attempt: StepAttempt) => unknown,
    options?: StepOptions,
  ) => Promise<T>;
  readonly signal: () => AbortSignal;
}

/** The members of a context that are known before the run begins. */
export interface GivenContext extends Omit<
  RunContext,
  keyof RunActions | "caller" | "tenant" | "metadata" | "credentials" | "trace"
> {
  readonly caller: Principal | undefined;
  readonly tenant: string | undefined;
  readonly metadata: JsonObject | undefined;
  readonly credentials: JsonValue | undefined;
  readonly trace: TraceContext | undefined;
}

/**
 * The context that a handler gets. Its members are assigned one by one: V8 gives an object that is spread
 * together from others, with functions among its members, a hidden class of its own, which outlives the object
 * and keeps the whole run in memory until the next full collection.
 */
export class HandlerContext implements RunContext {
  readonly message: Message;
  readonly text: string;
  readonly taskId: string;
  readonly contextId: string;
  declare readonly signal: AbortSignal;
  declare readonly caller?: Principal;
  declare readonly tenant?: string;
  declare readonly metadata?: JsonObject;
  declare credentials?: JsonValue;
  declare trace?: TraceContext;
  readonly extensions: readonly string[];
  readonly acceptedOutputModes: readonly string[];
  readonly accepts: RunContext["accepts"];
  readonly history: readonly Message[];
  readonly ask: RunContext["ask"];
  readonly authRequired: RunContext["authRequired"];
  readonly step: RunContext["step"];
  readonly stream: RunContext["stream"];
  readonly nextMessage: RunContext["nextMessage"];
  readonly fail: RunContext["fail"];
  readonly reject: RunContext["reject"];
  readonly referencedTasks: RunContext["referencedTasks"];
  readonly earlierTasks: RunContext["earlierTasks"];
  readonly report: RunContext["report"];
  readonly #actions: RunActions;

  constructor(given: GivenContext, actions: RunActions) {
    this.message = given.message;
    this.text = given.text;
    this.taskId = given.taskId;
    this.contextId = given.contextId;
    this.#actions = actions;
    Object.defineProperty(this, "signal", signalProperty);
    if (given.caller !== undefined) this.caller = given.caller;
    if (given.tenant !== undefined) this.tenant = given.tenant;
    if (given.metadata !== undefined) this.metadata = given.metadata;
    if (given.credentials !== undefined) this.credentials = given.credentials;
    if (given.trace !== undefined) this.trace = given.trace;
    this.extensions = given.extensions;
    this.acceptedOutputModes = given.acceptedOutputModes;
    this.accepts = given.accepts;
    this.history = given.history;
    this.ask = actions.ask;
    this.authRequired = actions.authRequired;
    this.step = actions.step;
    this.stream = actions.stream;
    this.nextMessage = actions.nextMessage;
    this.fail = actions.fail;
    this.reject = actions.reject;
    this.referencedTasks = given.referencedTasks;
    this.earlierTasks = given.earlierTasks;
    this.report = actions.report;
  }

  static signalOf(context: HandlerContext): AbortSignal {
    return context.#actions.signal();
  }
}

/**
 * Creates the signal when the handler first reads it: an `AbortSignal` is the most expensive object of a short
 * run. An own property, so that a copy of the context has it too; one shared descriptor, so that all contexts
 * share a hidden class.
 */
const signalProperty: PropertyDescriptor & ThisType<HandlerContext> = {
  get() {
    return HandlerContext.signalOf(this);
  },
  enumerable: true,
};
