import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  identifier,
  jsonObject,
  list,
  message,
  part,
  record,
  role,
} from "../../../test/support/arbitraries/model.js";
import { mutated } from "../../../test/support/arbitraries/mutations.js";
import { defaultLimits } from "../limits.js";
import { Cursor } from "./cursor.js";
import { isCleanMessage, isCleanPart } from "./is-clean.js";
import { parseMessage } from "./message.js";
import { parsePart } from "./part.js";

/** Without what is seldom there and is left to the parsers, so that many are recognised. */
const plainPart = part.filter(({ text, data }) => text !== undefined || data !== undefined);
const plainMessage = record(
  {
    messageId: fc.constantFrom("m1", "m-2"),
    role,
    parts: list(plainPart),
    contextId: identifier,
    metadata: jsonObject,
  },
  ["messageId", "role", "parts"],
);

/** A member that no one knows makes the parsers look at the rest, and is dropped by them. */
const unknown = { "": 1 };

describe("what is recognised as clean", () => {
  const limits = { ...defaultLimits, maxParts: 2, maxJsonDepth: 6, maxIdLength: 12 };
  const cursor = (): Cursor => new Cursor({ limits });

  it("is a message that the parser would not change", () => {
    let recognised = 0;
    fc.assert(
      fc.property(fc.oneof(message, plainMessage, mutated(plainMessage)), (value) => {
        if (!isCleanMessage(value, cursor())) return;
        recognised += 1;
        const parts = value.parts.map((one) => ({ ...one, ...unknown }));
        deepStrictEqual(parseMessage({ ...value, parts, ...unknown }, cursor()), value);
      }),
      { numRuns: 500 },
    );
    expect(recognised).toBeGreaterThan(0);
  });

  it("is a part that the parser would not change", () => {
    let recognised = 0;
    fc.assert(
      fc.property(fc.oneof(part, plainPart, mutated(plainPart)), (value) => {
        if (!isCleanPart(value, cursor())) return;
        recognised += 1;
        deepStrictEqual(parsePart({ ...value, ...unknown }, cursor()), value);
      }),
      { numRuns: 500 },
    );
    expect(recognised).toBeGreaterThan(0);
  });

  it("is everyday traffic", () => {
    const value = {
      messageId: "m1",
      role: "ROLE_USER",
      contextId: "c1",
      taskId: "t1",
      parts: [{ text: "hi" }, { data: { a: [null, 1] }, mediaType: "application/json" }],
      metadata: { trace: "x" },
    };
    expect(isCleanMessage(value, new Cursor())).toBe(true);
  });

  it.each<[string, object]>([
    ["no parts", { parts: [] }],
    ["too many parts", { parts: [{ text: "1" }, { text: "2" }, { text: "3" }] }],
    ["a part with two contents", { parts: [{ text: "1", data: 1 }] }],
    ["a part without content", { parts: [{}] }],
    ["an empty media type", { parts: [{ text: "1", mediaType: "" }] }],
    ["a file", { parts: [{ raw: "aGk" }] }],
    ["a role of earlier versions", { role: "user" }],
    ["a role by number", { role: 1 }],
    ["an id that is too long", { messageId: "x".repeat(13) }],
    ["an empty id", { contextId: "" }],
    ["an id in other letters", { taskId: "é" }],
    ["null", { metadata: null }],
    ["a list as metadata", { metadata: [] }],
    ["nesting that is too deep", { metadata: { a: { b: { c: { d: { e: {} } } } } } }],
    ["a lone surrogate", { parts: [{ text: "\ud800" }] }],
    ["a name with a lone surrogate", { metadata: { "\ud800": 1 } }],
    ["a forbidden name", { metadata: JSON.parse('{"__proto__":1}') as object }],
    ["a number beyond a double", { metadata: { a: Number.POSITIVE_INFINITY } }],
    ["a member that it does not know", { message_id: "m1" }],
  ])("is nothing with %s", (_, members) => {
    const value = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hi" }], ...members };
    expect(isCleanMessage(value, cursor())).toBe(false);
  });

  it.each<[unknown]>([[null], [undefined], ["x"], [1], [[]], [{}]])("is not %j", (value) => {
    expect(isCleanMessage(value, cursor())).toBe(false);
    expect(isCleanPart(value, cursor())).toBe(false);
  });
});
