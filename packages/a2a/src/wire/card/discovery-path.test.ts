import { expect, it } from "vitest";
import { discoveryPaths, isDiscoveryPath } from "./discovery-path.js";

it("looks for a card where 0.3 and 1.0 put it first, then where 0.1 and 0.2 did", () => {
  expect(discoveryPaths).toEqual(["/.well-known/agent-card.json", "/.well-known/agent.json"]);
});

it.each([
  ["/.well-known/agent-card.json", true],
  ["/.well-known/agent.json", true],
  ["/.well-known/agent-card.json/", false],
  ["/v1/.well-known/agent.json", false],
  ["/.well-known/openid-configuration", false],
])("answers for %s whether a card is there: %j", (path, expected) => {
  expect(isDiscoveryPath(path)).toBe(expected);
});
