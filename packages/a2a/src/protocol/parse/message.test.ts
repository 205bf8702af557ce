import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import { violation } from "../../../test/support/violation.js";
import { message } from "../../../test/support/arbitraries/model.js";
import { defaultLimits } from "../limits.js";
import { Cursor } from "./cursor.js";
import { identifierOrEmpty, parseMessage, parseRole } from "./message.js";

const valid = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }] };
const read = (members: object): unknown => parseMessage({ ...valid, ...members }, new Cursor());

describe("a message", () => {
  it("that is as the model has it is returned itself", () => {
    fc.assert(
      fc.property(message, (value) => {
        expect(parseMessage(value, new Cursor()) === value).toBe(true);
      }),
    );
  });

  it("is read under snake_case names, without nulls, defaults and what no one knows", () => {
    const given = {
      message_id: "m1",
      role: 2,
      parts: [{ text: "hi", kind: "text" }],
      context_id: "c1",
      task_id: "",
      reference_task_ids: ["t0"],
      extensions: [],
      metadata: null,
      kind: "message",
    };
    expect(parseMessage(given, new Cursor())).toStrictEqual({
      messageId: "m1",
      role: "ROLE_AGENT",
      parts: [{ text: "hi" }],
      contextId: "c1",
      referenceTaskIds: ["t0"],
    });
  });

  it("has an id, a role and parts", () => {
    for (const field of ["messageId", "role", "parts"]) {
      const expected = { code: "INVALID_PARAMS", field, description: "this member is required" };
      expect(violation(() => read({ [field]: undefined }))).toEqual(expected);
      expect(violation(() => read({ [field]: null }))).toEqual(expected);
    }
  });

  it.each<[object, string]>([
    [{ messageId: "" }, "messageId"],
    [{ messageId: " " }, "messageId"],
    [{ messageId: 1 }, "messageId"],
    [{ messageId: "x".repeat(257) }, "messageId"],
    [{ role: "hacker" }, "role"],
    [{ parts: [] }, "parts"],
    [{ parts: {} }, "parts"],
    [{ parts: [{ text: "x" }, {}] }, "parts[1]"],
    [{ parts: [{ text: "x" }, { text: 1 }] }, "parts[1].text"],
    [{ contextId: "a\nb" }, "contextId"],
    [{ taskId: {} }, "taskId"],
    [{ referenceTaskIds: ["t1", ""] }, "referenceTaskIds[1]"],
    [{ referenceTaskIds: "t1" }, "referenceTaskIds"],
    [{ extensions: [1] }, "extensions[0]"],
    [{ metadata: "x" }, "metadata"],
    [{ metadata: { a: { b: [Number.POSITIVE_INFINITY] } } }, "metadata.a.b[0]"],
  ])("is refused at the member that is wrong: %j", (members, field) => {
    expect(violation(() => read(members))).toMatchObject({ code: "INVALID_PARAMS", field });
  });

  it("has no more parts than are allowed", () => {
    verifies("security:size-limits");
    const parts = Array.from({ length: 1001 }, () => ({ text: "x" }));
    expect(read({ parts: parts.slice(1) })).toMatchObject({ messageId: "m1" });
    expect(violation(() => read({ parts })).description).toBe(
      "expected at most 1000 parts, got 1001",
    );
    const cursor = new Cursor({ limits: { ...defaultLimits, maxParts: 1 } });
    expect(() => parseMessage({ ...valid, parts: parts.slice(-2) }, cursor)).toThrow(
      "at most 1 parts",
    );
  });
});

describe("a role", () => {
  it.each<[unknown, string]>([
    ["ROLE_USER", "ROLE_USER"],
    ["ROLE_AGENT", "ROLE_AGENT"],
    [1, "ROLE_USER"],
    [2, "ROLE_AGENT"],
  ])("%j is %s", (value, expected) => {
    verifies("json:enum-numbers");
    expect(parseRole(value, new Cursor())).toBe(expected);
  });

  it.each(["hacker", "user", "agent", "role_user", "ROLE_UNSPECIFIED", "", 0, 3, "1", null, {}])(
    "is not %j",
    (value) => {
      expect(violation(() => parseRole(value, new Cursor())).description).toMatch(
        /^expected ROLE_USER or ROLE_AGENT, got /,
      );
    },
  );
});

describe("an id that may be left out", () => {
  it("is empty or an id", () => {
    expect(identifierOrEmpty("", new Cursor())).toBe("");
    expect(identifierOrEmpty("a", new Cursor())).toBe("a");
    expect(violation(() => identifierOrEmpty(" ", new Cursor())).code).toBe("INVALID_PARAMS");
    expect(violation(() => identifierOrEmpty(null, new Cursor())).code).toBe("INVALID_PARAMS");
  });
});
