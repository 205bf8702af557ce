import { expect, it } from "vitest";
import { meetsRequirements, toSecurityRequirement } from "./requirement.js";
import type { Requirement } from "./requirement.js";

const ada = { subject: "oidc#ada", grants: { oidc: ["read"], key: [] } };

it.each<[string, readonly Requirement[], boolean]>([
  ["nothing", [], true],
  ["what was granted", [{ oidc: ["read"] }], true],
  ["more than was granted", [{ oidc: ["read", "write"] }], false],
  ["a scheme that was not satisfied", [{ mtls: [] }], false],
  ["one of two alternatives", [{ mtls: [] }, { key: [] }], true],
  ["none of two alternatives", [{ mtls: [] }, { oidc: ["write"] }], false],
  ["two schemes together, both satisfied", [{ oidc: ["read"], key: [] }], true],
  ["two schemes together, one satisfied", [{ oidc: ["read"], mtls: [] }], false],
  ["what every object has", [{ toString: [] }], false],
])("a caller who was granted something meets %s: %j is %s", (_, requirements, isMet) => {
  expect(meetsRequirements(ada, requirements.map(toSecurityRequirement))).toBe(isMet);
});

it("a caller who is not known meets what asks for nothing", () => {
  expect(meetsRequirements(undefined)).toBe(true);
  expect(meetsRequirements(undefined, [{ schemes: {} }])).toBe(true);
  expect(meetsRequirements(undefined, [{ schemes: { key: {} } }])).toBe(false);
});
