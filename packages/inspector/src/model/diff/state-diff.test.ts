import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LogEvent } from "@parley/a2a/store";
import { LogIndex } from "../log/log-index.js";
import { diffJson } from "./json-diff.js";
import { diffStates } from "./state-diff.js";
import { diffTexts } from "./text-diff.js";

const events: readonly LogEvent[] = [
  {
    kind: "task-created",
    taskId: "t",
    contextId: "c",
    status: { state: "TASK_STATE_SUBMITTED" },
    metadata: { a: 1 },
  },
  {
    kind: "status-changed",
    status: { state: "TASK_STATE_WORKING" },
    metadata: { a: 2, b: "new" },
  },
  { kind: "artifact-updated", artifact: { artifactId: "x", parts: [{ text: "one " }] } },
  {
    kind: "artifact-updated",
    artifact: { artifactId: "x", parts: [{ text: "two" }] },
    append: true,
  },
  { kind: "artifact-updated", artifact: { artifactId: "x", parts: [{ text: "three" }] } },
  {
    kind: "message-added",
    message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "hello" }] },
  },
];

const index = new LogIndex(events.map((event, at) => ({ sequence: at + 1, at, event })));

function between(one: number, other: number): ReturnType<typeof diffStates> {
  return diffStates(index.at(one), index.at(other));
}

describe("the difference of two states", () => {
  it("names the state and the metadata that changed", () => {
    expect(between(0, 1)).toStrictEqual([
      { path: "status.state", kind: "changed", before: "Submitted", after: "Working" },
      { path: "metadata.a", kind: "changed", before: "1", after: "2" },
      { path: "metadata.b", kind: "added", after: "new" },
    ]);
  });

  it("tells an artifact that appeared, one that has grown, and one that began anew", () => {
    expect(between(1, 2)).toStrictEqual([{ path: "artifacts[0]", kind: "added", after: "one " }]);
    expect(between(2, 3)).toStrictEqual([
      { path: "artifacts[0].parts", kind: "grown", after: "two" },
    ]);
    expect(between(3, 4)).toStrictEqual([
      { path: "artifacts[0].parts", kind: "changed", before: "one two", after: "three" },
    ]);
  });

  it("shows messages that have come, and nothing between a state and itself", () => {
    expect(between(4, 5)).toStrictEqual([{ path: "history[0]", kind: "added", after: "hello" }]);
    expect(between(3, 3)).toStrictEqual([]);
  });

  it("is the same whichever mark is the earlier one", () => {
    expect(between(5, 0)).toStrictEqual(between(0, 5));
  });
});

describe("the difference of two JSON values", () => {
  it("is nothing exactly when they are equal", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), fc.jsonValue({ maxDepth: 3 }), (one, other) => {
        expect(diffJson(one, structuredClone(one))).toStrictEqual([]);
        const isEqual = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
        expect(diffJson(one, other).length === 0).toBe(isEqual);
      }),
    );
  });

  it("ends in values that are nested deeper than the stack holds, and in very wide ones", () => {
    const deep = (leaf: string): unknown => {
      let value: unknown = leaf;
      for (let level = 0; level < 20_000; level += 1) value = [value];
      return value;
    };
    expect(diffJson(deep("a"), deep("b")).length).toBeLessThanOrEqual(1);
    const wide = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`m${n}`, n]));
    expect(diffJson({}, wide)).toHaveLength(500);
  });
});

describe("the difference of two texts", () => {
  it("has both texts in it", async () => {
    const stretches = await diffTexts("a room in Lisbon", "a room in Porto");
    const side = (left: "added" | "removed"): string =>
      stretches
        .filter(({ kind }) => kind !== left)
        .map(({ text }) => text)
        .join("");
    expect(side("added")).toBe("a room in Lisbon");
    expect(side("removed")).toBe("a room in Porto");
    expect(stretches[0]).toStrictEqual({ kind: "same", text: "a room in " });
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, one]) => [name, sorted(one)]),
  );
}
