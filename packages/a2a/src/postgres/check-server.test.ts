import { expect, test } from "vitest";
import { findServerProblem } from "./check-server.js";
import type { ServerDemands, ServerFacts } from "./check-server.js";

const good: ServerFacts = {
  version: 150_018,
  versionName: "15.18",
  encoding: "UTF8",
  fsync: "on",
  synchronousCommit: "on",
  readOnly: "off",
  hasSchema: false,
  mayCreateSchema: true,
  mayUseSchema: false,
};

test.each<[Partial<ServerFacts>, ServerDemands["durability"], string | undefined]>([
  [{}, "disk", undefined],
  [{ version: 130_000 }, "disk", undefined],
  [{ synchronousCommit: "local" }, "disk", undefined],
  [
    { version: 120_022, versionName: "12.22" },
    "process",
    "it is PostgreSQL 12.22; update it to 13 or later",
  ],
  [{ fsync: "off" }, "disk", "fsync is off"],
  [{ fsync: "off" }, "process", undefined],
  [{ synchronousCommit: "off" }, "disk", "synchronous_commit is off"],
  [{ synchronousCommit: "off" }, "process", undefined],
  [{ mayCreateSchema: false }, "disk", 'there is no schema "parley", and this user may not'],
  [{ hasSchema: true, mayCreateSchema: false, mayUseSchema: true }, "disk", undefined],
  [{ hasSchema: true }, "disk", 'this user may not use the schema "parley"'],
  [{ readOnly: "on" }, "process", "it takes no writes"],
  [{ encoding: "LATIN1" }, "process", "its encoding is LATIN1"],
])("a server with %j is checked for durability %j: %s", (facts, durability, expected) => {
  const problem = findServerProblem(
    { ...good, ...facts },
    { schema: "parley", durability },
    { user: "ada" },
  );
  if (expected === undefined) expect(problem).toBeUndefined();
  else expect(problem).toContain(expected);
});
