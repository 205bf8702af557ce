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
  /** Decides what callers may do with their own tasks; everything when absent. */
  readonly authorize?: Authorize;
  /** Finds the skill that a message asks for; A2A has no member for it. */
  readonly skillOf?: (request: SendMessageRequest) => string | undefined;
  readonly limiter?: CallLimiter;
  readonly audit?: AuditLog;
  readonly now?: () => number;
}

/** A call at the gate. */
export interface Passing {
  readonly operation: Operation;
  readonly call: CallContext;
  readonly resource: Resource;
}

/** The errors by which the service behind the guard decides about a caller, and the kind of that decision. */
const decisions: Partial<Readonly<Record<ErrorCode, AuditEvent["decision"]>>> = {
  // A task of another caller is not found, either; the two cases look the same.
  TASK_NOT_FOUND: "authorization",
  PERMISSION_DENIED: "authorization",
  UNAUTHENTICATED: "authentication",
  RESOURCE_EXHAUSTED: "limit",
};

/** Decides about calls and records the decisions. */
export class Gate {
  readonly #options: GateOptions;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Admits a call, or throws. */
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

  /** Counts a stream until the returned function is called, or throws. */
  openStream(passing: Passing): () => void {
    const { principal, address } = passing.call;
    try {
      const { limiter } = this.#options;
      return limiter?.openStream({ subject: principal?.subject, address }) ?? (() => undefined);
    } catch (error) {
      throw this.denied(passing, error);
    }
  }

  /** Records an error of the service if it is a decision about the caller, and returns it. */
  denied(passing: Passing, error: unknown): A2AError {
    const failure = A2AError.from(error);
    const decision = decisions[failure.code];
    if (decision !== undefined) {
      this.#record(passing, { decision, outcome: "denied", code: failure.code });
    }
    return failure;
  }

  /** Records an error of the gate, which is always a decision, also when a rule fails, and returns it. */
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
    const { missingScopes, requiredScopes = missingScopes } = decision;
    const missing = missingScopes.join(" ");
    return new A2AError("PERMISSION_DENIED", `this operation requires the scope ${missing}`, {
      details: { metadata: { requiredScopes: missing }, requiredScopes },
      cause: new Error(`lacks ${missing}`),
    });
  }
  const reason = decision === false ? {} : { cause: new Error(decision) };
  return new A2AError("PERMISSION_DENIED", "you are not allowed to do this", reason);
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
  const { id, taskId, contextId, method } = request as Readonly<Record<string, string | undefined>>;
  const isAboutConfig = operation.endsWith("TaskPushNotificationConfig");
  return {
    ...named,
    ...(taskId !== undefined && { taskId }),
    ...(contextId !== undefined && { contextId }),
    ...(id !== undefined && (isAboutConfig ? { configId: id } : { taskId: id })),
    ...(method !== undefined && { method }),
  };
}
