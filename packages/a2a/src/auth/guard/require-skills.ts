import type { AgentCard } from "../../protocol/internal.js";
import type { Authorize } from "./authorize.js";
import { meetsRequirements } from "../requirement.js";

/**
 * A rule that allows the skills whose requirements in the card the caller meets. `skillOf` finds the skill of a
 * message; a message that asks for no skill, or for an unknown one, passes.
 *
 * @example
 * serve(travel, { auth, authorize: requireSkills(auth.declareIn(travel.card([]))), skillOf });
 */
export function requireSkills({ skills }: Pick<AgentCard, "skills">): Authorize {
  const requirements = new Map(skills.map((skill) => [skill.id, skill.securityRequirements]));
  return (principal, _operation, { skill }) =>
    skill === undefined ||
    meetsRequirements(principal, requirements.get(skill)) ||
    `does not meet the requirements of the skill ${skill}`;
}
