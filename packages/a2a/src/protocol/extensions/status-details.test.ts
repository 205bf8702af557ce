import { expect, it } from "vitest";
import { progressOf, statusDetailsUri } from "./status-details.js";

it.each([
  [{ metadata: { [statusDetailsUri]: { progress: 0.5, error: {} } } }, 0.5],
  [{ metadata: { [statusDetailsUri]: { progress: 0 } } }, 0],
  [{ metadata: { [statusDetailsUri]: { progress: "half" } } }, undefined],
  [{ metadata: { [statusDetailsUri]: null } }, undefined],
  [{ metadata: { [statusDetailsUri]: 0.5 } }, undefined],
  [{ metadata: { progress: 0.5 } }, undefined],
  [{}, undefined],
  [undefined, undefined],
])("the progress of %j is %s", (owner, progress) => {
  expect(progressOf(owner)).toBe(progress);
});
