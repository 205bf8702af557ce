import { expect, it } from "vitest";
import { nearestName } from "./nearest-name.js";

const names = ["send", "serve", "task get", "task list", "doctor", "key"];

it.each([
  ["sned", "send"],
  ["sevre", "serve"],
  ["doktor", "doctor"],
  ["task lits", "task list"],
  ["kye", "key"],
  ["send", "send"],
])("takes %s for %s", (written, meant) => {
  expect(nearestName(written, names)).toBe(meant);
});

it.each(["frobnicate", "x", "", "bench"])("takes %j for none of them", (written) => {
  expect(nearestName(written, names)).toBeUndefined();
});
