/**
 * The manifest of what the A2A specification 1.0.1 demands of servers, clients and libraries: every
 * MUST and SHOULD, and the MAYs that an implementer has to decide. `parley conformance` checks those that show from
 * outside; the library's tests cite the ids through `verifies`. Demands on documents and on authors of bindings or
 * extensions are left out; where the specification contradicts itself the entry states the reading that this library
 * follows.
 */
import { bindings } from "./requirements/bindings.js";
import { card } from "./requirements/card.js";
import { dataModel } from "./requirements/data-model.js";
import { negotiation } from "./requirements/negotiation.js";
import { operations } from "./requirements/operations.js";
import { push } from "./requirements/push.js";
import type { Requirement } from "./requirements/requirement.js";
import { security } from "./requirements/security.js";

export type { Level, Requirement } from "./requirements/requirement.js";

export type RequirementId =
  | keyof typeof operations
  | keyof typeof push
  | keyof typeof dataModel
  | keyof typeof negotiation
  | keyof typeof bindings
  | keyof typeof card
  | keyof typeof security;

export const requirements: Readonly<Record<RequirementId, Requirement>> = {
  ...operations,
  ...push,
  ...dataModel,
  ...negotiation,
  ...bindings,
  ...card,
  ...security,
};
