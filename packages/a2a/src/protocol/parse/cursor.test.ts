import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import { violation } from "../../../test/support/violation.js";
import { defaultLimits } from "../limits.js";
import { Cursor, describe as describeValue } from "./cursor.js";
import { string } from "./primitives.js";

describe("a cursor", () => {
  it.each<[readonly (string | number)[], string]>([
    [[], ""],
    [["message"], "message"],
    [["message", "parts", 1, "text"], "message.parts[1].text"],
    [[0], "[0]"],
    [[0, "id"], "[0].id"],
    [["data", 0, 1], "data[0][1]"],
    [["metadata", "a.b"], "metadata.a.b"],
  ])("writes the path %j as %j", (at, expected) => {
    expect(new Cursor({ at }).field()).toBe(expected);
  });

  it("refuses with the field and what was expected there", () => {
    verifies("error:invalid-fields");
    const cursor = new Cursor({ at: ["message"] });
    expect(() => cursor.fail("expected an array", "parts")).toThrow(
      expect.objectContaining({
        name: "A2AError",
        code: "INVALID_PARAMS",
        message: "message.parts: expected an array",
        details: {
          fieldViolations: [{ field: "message.parts", description: "expected an array" }],
        },
      }),
    );
  });

  it("refuses at the root without naming a field in the words", () => {
    expect(() => new Cursor().fail("expected an object")).toThrow(/^expected an object$/);
  });

  it("refuses under the code it was given, by which it knows that a peer is read", () => {
    const cursor = new Cursor({ code: "INVALID_AGENT_RESPONSE" });
    expect(cursor.isPeer).toBe(true);
    expect(new Cursor().isPeer).toBe(false);
    expect(violation(() => cursor.fail("x")).code).toBe("INVALID_AGENT_RESPONSE");
  });

  it("is where it was after it entered a member", () => {
    const cursor = new Cursor();
    expect(cursor.enter("a", "text", string)).toBe("text");
    expect(cursor.path).toEqual([]);
    expect(violation(() => cursor.enter("a", 1, string)).field).toBe("a");
  });

  it("enters no deeper than the limit", () => {
    const limits = { ...defaultLimits, maxJsonDepth: 2 };
    const deep = (at: readonly string[]) => new Cursor({ at, limits }).enter("x", "", string);
    expect(deep(["a"])).toBe("");
    expect(violation(() => deep(["a", "b"]))).toMatchObject({
      field: "a.b",
      description: "expected at most 2 levels of nesting",
    });
  });

  it("does not change the path it was given", () => {
    const at = ["a"];
    new Cursor({ at }).path.push("b");
    expect(at).toEqual(["a"]);
  });

  it("makes ids that differ unless it is told how", () => {
    const { newId } = new Cursor();
    expect(newId()).not.toBe(newId());
    expect(new Cursor({ newId: () => "mine" }).newId()).toBe("mine");
  });
});

describe("describing a value", () => {
  it.each<[unknown, string]>([
    [null, "null"],
    [undefined, "nothing"],
    ["", "an empty string"],
    ["secret", "a string"],
    [1, "a number"],
    [true, "a boolean"],
    [[], "an array"],
    [{}, "an object"],
  ])("says of %j that it is %s", (value, expected) => {
    expect(describeValue(value)).toBe(expected);
  });
});
