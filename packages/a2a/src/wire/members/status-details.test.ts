import { describe, expect, it } from "vitest";
import { statusDetailsUri } from "../../protocol/internal.js";
import { Cursor } from "../../protocol/parse/internal.js";
import { liftStatusDetails, lowerStatusDetails } from "./status-details.js";

const lift = (owner: Readonly<Record<string, unknown>>): unknown =>
  liftStatusDetails(owner, new Cursor({ newId: () => "made up" }));

describe("the details of a status", () => {
  it.each<[string, object | null | undefined]>([
    ["without metadata", undefined],
    ["with null as metadata", null],
    ["with metadata", { a: 1 }],
  ])("go into the metadata of a task %s", (_, metadata) => {
    const status = { state: "working", progress: 0.5 };
    expect(lift({ id: "t1", status, metadata })).toEqual({
      id: "t1",
      status,
      metadata: { ...metadata, [statusDetailsUri]: { progress: 0.5 } },
    });
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["there are none", { status: { state: "working" } }],
    ["they are null", { status: { state: "working", progress: null, error: null } }],
    ["there is no status", {}],
    ["the status is no object", { status: "working" }],
    ["the metadata is no object", { status: { progress: 1 }, metadata: "x" }],
  ])("leave their owner alone when %s", (_, owner) => {
    expect(lift(owner)).toBe(owner);
  });

  it("come back out of the metadata", () => {
    const details = { progress: 1, error: { code: 7 } };
    expect(lowerStatusDetails({ a: 1, [statusDetailsUri]: details })).toEqual({
      metadata: { a: 1 },
      details,
    });
    expect(lowerStatusDetails({ [statusDetailsUri]: details })).toEqual({
      metadata: undefined,
      details,
    });
  });

  it.each([{}, { other: 1 }, { progress: null }, { progress: 1, other: 2 }, [], "x"])(
    "stay in the metadata when they are something else: %j",
    (details) => {
      const metadata = { [statusDetailsUri]: details };
      expect(lowerStatusDetails(metadata)).toEqual({ metadata, details: {} });
    },
  );
});
