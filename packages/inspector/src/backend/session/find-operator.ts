import { A2AError } from "@parley/a2a";
import type { Authenticator } from "@parley/a2a/auth";
import { Refusal } from "../http/refusal.js";

/** What a person shows to the server: the name under which its scheme looks for it, such as a header, and the value. */
export interface OperatorCredentials {
  readonly name: string;
  readonly value: string;
}

/** Finds out who a person is; refuses whoever is no operator. */
export type FindOperator = (credentials: OperatorCredentials | undefined) => Promise<string>;

const needs = { metadata: { needs: "operator" } };

/** Asks the authenticator of a server who somebody is, and whether that is one of its operators. */
export function createFindOperator(auth: Authenticator, scope: string): FindOperator {
  return async (credentials) => {
    if (credentials === undefined) {
      throw new Refusal(401, "UNAUTHENTICATED", "the inspector asks who you are", {
        details: needs,
        hint: `Enter what an operator shows to the agents of this server, such as a token with the scope ${scope}.`,
      });
    }
    const { name, value } = credentials;
    const principal = await auth
      .authenticate({
        header: (one) => (one === name.toLowerCase() ? value : undefined),
        query: (one) => (one === name ? value : undefined),
        cookie: (one) => (one === name ? value : undefined),
      })
      .catch((error: unknown) => {
        if (!A2AError.is(error)) throw error;
        return undefined;
      });
    if (principal === undefined) {
      throw new Refusal(401, "UNAUTHENTICATED", "the server does not know these credentials", {
        details: needs,
        hint: "Enter them as callers of the agents send them.",
      });
    }
    if (principal.scopes?.includes(scope) !== true) {
      throw new Refusal(403, "PERMISSION_DENIED", `these credentials lack the scope ${scope}`, {
        details: needs,
        hint: "Ask for credentials of an operator.",
      });
    }
    return principal.subject;
  };
}
