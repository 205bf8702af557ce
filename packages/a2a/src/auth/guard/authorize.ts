import type { Operation, Principal } from "../../protocol/internal.js";
import type { Resource } from "../audit-log.js";

/** What a caller would have to be granted. It is told, since it says nothing about what there is. */
export interface MissingScopes {
  readonly missingScopes: readonly string[];
}

/**
 * `true` when it may; otherwise `false`, or the reason, which the audit log is told and the caller is not, or
 * the scopes that it lacks.
 */
export type Decision = boolean | string | MissingScopes;

/**
 * Says whether a caller may do something, before it is done. That tasks are their owners' is held up behind
 * it whatever it says. May throw an `A2AError` to refuse in other words.
 */
export type Authorize = (
  principal: Principal | undefined,
  operation: Operation,
  resource: Resource,
) => Decision | Promise<Decision>;

export interface ScopeRules {
  /** The scopes that each operation needs, all of them; one that is not named needs none. */
  readonly operations?: Partial<Readonly<Record<Operation, readonly string[]>>>;
  /** The scopes that each skill needs besides. */
  readonly skills?: Readonly<Record<string, readonly string[]>>;
}

/** What operations need unless it is said otherwise: to send, to read, to cancel, to be notified. */
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
};

/** Lets callers do what their scopes are for. */
export function requireScopes({
  operations = standardScopes,
  skills = {},
}: ScopeRules = {}): Authorize {
  return (principal, operation, { skill }) => {
    const bySkill = skill !== undefined && Object.hasOwn(skills, skill) ? skills[skill] : undefined;
    const required = [...(operations[operation] ?? []), ...(bySkill ?? [])];
    const granted = principal?.scopes ?? [];
    const missingScopes = required.filter((scope) => !granted.includes(scope));
    return missingScopes.length === 0 || { missingScopes };
  };
}
