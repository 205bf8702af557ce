import { A2AError } from "../../protocol/internal.js";
import type {
  CallContext,
  ErrorCode,
  Operation,
  SendMessageRequest,
} from "../../protocol/internal.js";
import type { AuditEvent, AuditLog, Resource } from "../audit-log.js";
import type { Authorize, Decision } from "./authorize.js";
import type { CallLimiter } from "../limits/call-limiter.js";

export interface GateOptions {
  /** What callers may do with what is theirs; everything when absent. */
  readonly authorize?: Authorize;
  /** The skill that a message asks for, if it does; A2A itself has no word for it. */
  readonly skillOf?: (request: SendMessageRequest) => string | undefined;
  readonly limiter?: CallLimiter;
  readonly audit?: AuditLog;
  readonly now?: () => number;
}

/** A call that wants through. */
export interface Passing {
  readonly operation: Operation;
  readonly call: CallContext;
  readonly resource: Resource;
}

/** Refusals by which a service behind a guard decides about callers itself. */
const decisions: Partial<Readonly<Record<ErrorCode, AuditEvent["decision"]>>> = {
  // A task that the caller does not have is one that it may not see, as far as anybody can tell.
  TASK_NOT_FOUND: "authorization",
  PERMISSION_DENIED: "authorization",
  UNAUTHENTICATED: "authentication",
  RESOURCE_EXHAUSTED: "limit",
};

/** Decides about calls and writes down what was decided. */
export class Gate {
  readonly #options: GateOptions;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Lets a call through, or throws. */
  async admit(operation: Operation, request: object, call: CallContext): Promise<Passing> {
    const { limiter, authorize, skillOf } = this.#options;
    const resource = resourceOf(operation, request, { call, skillOf });
    const passing = { operation, call, resource };
    try {
      limiter?.admitPrincipal(call.principal?.subject);
      const decision = (await authorize?.(call.principal, operation, resource)) ?? true;
      if (decision !== true) throw forbidden(decision);
    } catch (error) {
      throw this.#refused(passing, error);
    }
    this.#record(passing, { decision: "authorization", outcome: "allowed" });
    return passing;
  }

  /** Counts a stream until the answered function is called, or throws. */
  openStream(passing: Passing): () => void {
    const { principal, address } = passing.call;
    try {
      const { limiter } = this.#options;
      return limiter?.openStream({ subject: principal?.subject, address }) ?? (() => undefined);
    } catch (error) {
      throw this.denied(passing, error);
    }
  }

  /** The error, written down if it is a decision about the caller. */
  denied(passing: Passing, error: unknown): A2AError {
    const failure = A2AError.from(error);
    const decision = decisions[failure.code];
    if (decision !== undefined) {
      this.#record(passing, { decision, outcome: "denied", code: failure.code });
    }
    return failure;
  }

  /** Whatever stops a call here is a decision about it, also when a rule breaks. */
  #refused(passing: Passing, error: unknown): A2AError {
    const failure = A2AError.from(error);
    const { code, cause } = failure;
    const decision = decisions[code] ?? "authorization";
    const isSaid = code !== "INTERNAL" && cause instanceof Error;
    const reason = isSaid ? { reason: cause.message } : {};
    this.#record(passing, { decision, outcome: "denied", code, ...reason });
    return failure;
  }

  #record({ operation, call, resource }: Passing, decided: Decided): void {
    const { audit, now = Date.now } = this.#options;
    const { requestId, address, principal } = call;
    audit?.record({
      at: new Date(now()).toISOString(),
      ...decided,
      ...(requestId !== undefined && { requestId }),
      ...(address !== undefined && { address }),
      ...(principal !== undefined && { subject: principal.subject }),
      operation,
      resource,
    });
  }
}

type Decided = Pick<AuditEvent, "decision" | "outcome" | "code" | "reason">;

function forbidden(decision: Exclude<Decision, true>): A2AError {
  if (typeof decision === "object") {
    const requiredScopes = decision.missingScopes.join(" ");
    return new A2AError("PERMISSION_DENIED", `this needs the scope ${requiredScopes}`, {
      details: { metadata: { requiredScopes } },
      cause: new Error(`lacks ${requiredScopes}`),
    });
  }
  const reason = decision === false ? {} : { cause: new Error(decision) };
  return new A2AError("PERMISSION_DENIED", "you may not do this", reason);
}

function resourceOf(
  operation: Operation,
  request: object,
  {
    call,
    skillOf,
  }: { readonly call: CallContext; readonly skillOf: GateOptions["skillOf"] | undefined },
): Resource {
  const { tenant } = call;
  const named = tenant === undefined ? {} : { tenant };
  if ("message" in request) {
    const sent = request as SendMessageRequest;
    const { taskId, contextId } = sent.message;
    const skill = skillOf?.(sent);
    return {
      ...named,
      ...(taskId !== undefined && { taskId }),
      ...(contextId !== undefined && { contextId }),
      ...(skill !== undefined && { skill }),
    };
  }
  const { id, taskId, contextId } = request as Readonly<Record<string, string | undefined>>;
  const isAboutConfig = operation.endsWith("TaskPushNotificationConfig");
  return {
    ...named,
    ...(taskId !== undefined && { taskId }),
    ...(contextId !== undefined && { contextId }),
    ...(id !== undefined && (isAboutConfig ? { configId: id } : { taskId: id })),
  };
}
