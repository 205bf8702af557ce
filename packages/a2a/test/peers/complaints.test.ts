import { expect, it } from "vitest";
import { casesOf, expectedOf, isOffered } from "./case.js";
import type { Case } from "./case.js";
import { complaintsOf } from "./complaints.js";
import type { KnownFailure } from "./known-failures.js";
import { peers } from "./peers.js";

const all = casesOf();

function caseOf(operation: string): Case {
  const found = all.find(
    (one) =>
      one.peer.id === "go-2" &&
      one.direction === "their client" &&
      one.at.binding === "GRPC" &&
      one.at.version === "1.0" &&
      one.operation === operation,
  );
  if (found === undefined) throw new Error(`there is no ${operation}`);
  return found;
}

const known: KnownFailure = {
  peers: ["go-2"],
  direction: "their client",
  bindings: ["GRPC"],
  versions: ["1.0"],
  operations: ["files"],
  fault: "theirs",
  because: "It loses files.",
};

it("has nothing to say when every case turns out as expected", () => {
  const results = [{ of: caseOf("send") }, { of: caseOf("files"), error: "lost" }];
  expect(complaintsOf(results, [known], all)).toEqual([]);
});

it("complains of a failure that nobody has explained, and says what happened", () => {
  const results = [{ of: caseOf("send"), error: "expected a task" }];
  expect(complaintsOf(results, [known], all)).toEqual([
    "go-2, their client, GRPC 1.0: send fails, and known-failures.ts does not say why: expected a task",
  ]);
});

it("complains of a known failure that passes", () => {
  expect(complaintsOf([{ of: caseOf("files") }], [known], all)).toEqual([
    "go-2, their client, GRPC 1.0: files passes now: remove it from known-failures.ts",
  ]);
});

it("complains of an explanation that explains no case", () => {
  const idle: KnownFailure = { ...known, versions: ["0.2"], because: "It is gone." };
  expect(complaintsOf([], [known, idle], all)).toEqual([
    'no case is explained by "It is gone.": remove it from known-failures.ts',
  ]);
});

it("complains of an explanation that another one hides", () => {
  const hidden: KnownFailure = { ...known, because: "It loses files again." };
  expect(complaintsOf([], [known, hidden], all)).toHaveLength(1);
});

it("expects nothing of what an SDK does not offer, whatever is known", () => {
  const lists = all.find((one) => !isOffered(one) && one.operation === "list");
  if (lists === undefined) throw new Error("every peer offers list");
  const { direction, peer } = lists;
  const id = peers.map((one) => one.id).filter((one) => one === peer.id);
  const failure: KnownFailure = { ...known, peers: id, direction, operations: ["list"] };
  expect(expectedOf(lists, [failure])).toBe("not offered");
});
