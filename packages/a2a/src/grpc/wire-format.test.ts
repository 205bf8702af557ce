import { expect, test } from "vitest";
import { service } from "./gen/lf-a2a-v1.js";
import { peekString, WireFormatError } from "./wire-format.js";
import type { MessageType } from "./wire-format.js";

const { request } = service.methods["SendMessage"] as { request: MessageType };
const message = (content: object): Buffer =>
  request.encode({ message: { messageId: "m", role: "ROLE_USER", ...content } });

const texts = Array.from({ length: 50 }, () => "");
const entries = Object.fromEntries(texts.map((text, index) => [`k${index}`, text]));

test.each([
  ["parts", { parts: texts.map((text) => ({ text })) }],
  ["texts in a list", { extensions: texts }],
  ["members of an object", { metadata: entries }],
  ["values of a list", { metadata: { list: texts } }],
  ["lists in a list", { metadata: { list: texts.map(() => []) } }],
  ["objects in a part", { parts: [{ data: texts.map(() => ({})) }] }],
])("a message has a maximum of %s", (_, content) => {
  const bytes = message(content);
  expect(() => request.decode(bytes, 50)).toThrow("it has more than 50 parts, list items");
  expect(() => request.decode(bytes, 50)).toThrow(WireFormatError);
  expect(request.decode(bytes, 500)).toMatchObject({ message: content });
});

test("a field that is written over and over counts each time", () => {
  const configuration = Buffer.from([26, 0]);
  const bytes = Buffer.concat(Array.from({ length: 51 }, () => configuration));
  expect(() => request.decode(bytes, 50)).toThrow("it has more than 50 parts");
});

test("a string is found in the beginning of a message, and only there", () => {
  const bytes = request.encode({ tenant: "acme", message: { messageId: "m" } });
  expect(peekString(bytes, 10)).toBe("acme");
  expect(peekString(bytes.subarray(0, 6), 10)).toBe("acme");
  expect(peekString(bytes.subarray(0, 5), 10)).toBeUndefined();
  expect(peekString(bytes.subarray(0, 0), 10)).toBeUndefined();
  expect(peekString(bytes, 34)).toBeUndefined();
  const late = Buffer.concat([bytes.subarray(6), bytes.subarray(0, 6)]);
  expect(peekString(late, 10)).toBe("acme");
  expect(peekString(late.subarray(0, 4), 10)).toBeUndefined();
});
