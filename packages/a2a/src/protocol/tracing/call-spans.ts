import type { AgentCard } from "../agent-card.js";
import type { CallContext, TraceContext } from "../call-context.js";
import type { Message } from "../message.js";
import type { Operation } from "../operations.js";
import type { Task } from "../task.js";
import type { Attributes, AttributeValue, Span, SpanOptions, Tracer } from "./tracer.js";
import { attribute } from "./names.js";

/** Whose calls are traced, and from which side. */
export interface TracedOptions {
  readonly tracer: Tracer;
  /** `server` where the agent is behind the service, `client` where another server is. */
  readonly kind: "server" | "client";
  /** The agent that is called. */
  readonly card: Pick<AgentCard, "name" | "version" | "description">;
  /** Where another server is called. */
  readonly url?: string;
}

/** Begins the spans of the calls of one agent, named and described as the conventions say. */
export class CallSpans {
  readonly #options: TracedOptions;
  readonly #common: Attributes;
  /** What is the same for all calls of a method in a version. */
  readonly #fixed = new Map<string, Attributes>();

  constructor(options: TracedOptions) {
    const { card, url } = options;
    this.#options = options;
    this.#common = {
      [attribute.agentName]: card.name,
      [attribute.agentVersion]: card.version,
      [attribute.agentDescription]: card.description,
      ...(url !== undefined && addressOf(url)),
    };
  }

  start(operation: Operation, request: object, call: CallContext): Span {
    const { tracer, kind } = this.#options;
    const method = methodOf(operation, request);
    const attributes = this.#attributesOf(method, call.version);
    const span = tracer.startSpan(method, { kind, attributes, ...under(call.trace) });
    if (span.isRecording) span.set(describeRequest(request, call));
    return span;
  }

  #attributesOf(method: string, version: string): Attributes {
    const key = `${version} ${method}`;
    let attributes = this.#fixed.get(key);
    if (attributes === undefined) {
      attributes = {
        [attribute.method]: method,
        [attribute.version]: version,
        ...this.#common,
      };
      // The methods of extensions are few, where a binding has checked their names. Other callers choose them.
      if (this.#fixed.size < maxFixed) this.#fixed.set(key, attributes);
    }
    return attributes;
  }
}

const maxFixed = 200;

/** The name of a method in 1.0: `SendMessage`; that of an extension's method is its own. */
function methodOf(operation: Operation, request: object): string {
  if (operation === "callMethod") return String((request as { method?: unknown }).method);
  return operation.charAt(0).toUpperCase() + operation.slice(1);
}

/** What a span is under that belongs to a call with this trace. */
export function under(
  trace: TraceContext | undefined,
): Pick<SpanOptions, "parent" | "isRoot" | "links"> {
  if (trace === undefined) return {};
  return trace.isUntrusted === true ? { isRoot: true, links: [trace] } : { parent: trace };
}

/** The ids in a request. What people and programs say in it is not shown. */
function describeRequest(request: object, { tenant }: CallContext): Attributes {
  const shown: Record<string, AttributeValue> = {};
  if (tenant !== undefined) shown[attribute.tenant] = tenant;
  if ("message" in request) {
    const { messageId, taskId, contextId, referenceTaskIds } = request.message as Message;
    shown[attribute.messageId] = messageId;
    if (taskId !== undefined) shown[attribute.taskId] = taskId;
    if (contextId !== undefined) shown[attribute.conversation] = contextId;
    if (referenceTaskIds !== undefined) shown[attribute.references] = referenceTaskIds;
    return shown;
  }
  const { id, taskId = id, contextId } = request as Readonly<Record<string, string | undefined>>;
  if (taskId !== undefined) shown[attribute.taskId] = taskId;
  if (contextId !== undefined) shown[attribute.conversation] = contextId;
  return shown;
}

/** The ids and the state in an answer, if it is a task or a message. */
export function describeAnswer(answer: unknown): Attributes | undefined {
  if (typeof answer !== "object" || answer === null) return undefined;
  const { task, message } = answer as { readonly task?: Task; readonly message?: Message };
  const told = task ?? ("status" in answer ? (answer as Task) : undefined);
  if (told !== undefined) return describeTask(told.id, told.contextId, told.status.state);
  const contextId = message?.contextId;
  return contextId === undefined ? undefined : { [attribute.conversation]: contextId };
}

export function describeTask(id: string, contextId?: string, state?: string): Attributes {
  return {
    [attribute.taskId]: id,
    ...(contextId !== undefined && { [attribute.conversation]: contextId }),
    ...(state !== undefined && { [attribute.taskState]: state }),
  };
}

/** Host and port of a URL, or of an address such as `host:port`. */
function addressOf(url: string): Attributes {
  const [, scheme, host = "", port] =
    /^(?:([a-z][\w+.-]*):\/\/)?(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?/i.exec(url) ?? [];
  const known = port ?? (scheme === "https" ? "443" : scheme === "http" ? "80" : undefined);
  return {
    [attribute.serverAddress]: host,
    ...(known !== undefined && { [attribute.serverPort]: Number(known) }),
  };
}
