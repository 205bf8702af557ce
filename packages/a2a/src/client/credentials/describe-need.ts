import { describeRequirements } from "../../protocol/internal.js";
import type { AgentCard } from "../../protocol/internal.js";
import type { Secrets } from "./secret.js";

/**
 * What a card requires of callers, and what is missing in the credentials that `connect` was given. Leaves out what
 * the agent has told already.
 */
export function describeNeed(
  { name, securityRequirements = [], securitySchemes = {} }: AgentCard,
  secrets: Secrets = {},
  told = "",
): string {
  const [first] = securityRequirements;
  if (first === undefined) return `the card of ${name} does not say how to authenticate`;
  const required = describeRequirements(securityRequirements, securitySchemes);
  const given = Object.keys(secrets).map((one) => JSON.stringify(one));
  const wanted = Object.keys(first.schemes).map((one) => `${JSON.stringify(one)}: …`);
  const help =
    given.length === 0
      ? `give connect() credentials: { ${wanted.join(", ")} }`
      : `connect() was given credentials for ${given.join(", ")}`;
  return told.includes(required) ? help : `${name} requires ${required}; ${help}`;
}
