import type { Operation, Principal } from "../../protocol/internal.js";
import type { Resource } from "../audit-log.js";

/** The scopes that a caller lacks. The caller is told them, since they reveal nothing about what exists. */
export interface MissingScopes {
  readonly missingScopes: readonly string[];
  /** All scopes that the call needs, for the challenge that says which token to ask for; the missing ones when absent. */
  readonly requiredScopes?: readonly string[];
}

/**
 * `true` when the caller may make the call; otherwise `false`, or the reason, which goes into the audit log
 * and not to the caller, or the scopes that the caller lacks.
 */
export type Decision = boolean | string | MissingScopes;

/**
 * Decides whether a caller may make a call, before the call is made. Whatever it decides, a caller only
 * reaches its own tasks. May throw an `A2AError` to refuse with another error.
 */
export type Authorize = (
  principal: Principal | undefined,
  operation: Operation,
  resource: Resource,
) => Decision | Promise<Decision>;

export interface ScopeRules {
  /** The scopes that each operation requires, all of them; an operation that is absent requires none. */
  readonly operations?: Partial<Readonly<Record<Operation, readonly string[]>>>;
  /** The scopes that each skill requires in addition. */
  readonly skills?: Readonly<Record<string, readonly string[]>>;
  /** The scopes that each method of an extension requires in addition. */
  readonly methods?: Readonly<Record<string, readonly string[]>>;
}

/** The default scopes of operations: for sending, reading, canceling, push notifications and extension methods. */
export const standardScopes: Readonly<Record<Operation, readonly string[]>> = {
  sendMessage: ["a2a:send"],
  sendStreamingMessage: ["a2a:send"],
  getTask: ["a2a:read"],
  listTasks: ["a2a:read"],
  cancelTask: ["a2a:cancel"],
  subscribeToTask: ["a2a:read"],
  createTaskPushNotificationConfig: ["a2a:push"],
  getTaskPushNotificationConfig: ["a2a:push"],
  listTaskPushNotificationConfigs: ["a2a:push"],
  deleteTaskPushNotificationConfig: ["a2a:push"],
  getExtendedAgentCard: ["a2a:read"],
  callMethod: ["a2a:call"],
};

/** A rule that allows operations, skills and methods of extensions by the caller's scopes. */
export function requireScopes({
  operations = standardScopes,
  skills = {},
  methods = {},
}: ScopeRules = {}): Authorize {
  return (principal, operation, { skill, method }) => {
    const requiredScopes = [
      ...(operations[operation] ?? []),
      ...scopesOf(skills, skill),
      ...scopesOf(methods, method),
    ];
    const granted = principal?.scopes ?? [];
    const missingScopes = requiredScopes.filter((scope) => !granted.includes(scope));
    return missingScopes.length === 0 || { missingScopes, requiredScopes };
  };
}

function scopesOf(
  byName: Readonly<Record<string, readonly string[]>>,
  name: string | undefined,
): readonly string[] {
  return name !== undefined && Object.hasOwn(byName, name) ? (byName[name] ?? []) : [];
}
