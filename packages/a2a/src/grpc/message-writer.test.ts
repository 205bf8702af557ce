import fc from "fast-check";
import protobuf from "protobufjs/minimal.js";
import type { Writer } from "protobufjs/minimal.js";
import { expect, test } from "vitest";
import { MessageWriter, prefixBytes } from "./message-writer.js";

/** Something that both writers can be told to write. */
type Step = (writer: MessageWriter | Writer) => void;

function written(steps: readonly Step[], writer = new MessageWriter()): Buffer {
  writer.begin();
  for (const step of steps) step(writer);
  return writer.finish();
}

function writtenByProtobufjs(steps: readonly Step[]): Buffer {
  const writer = protobuf.Writer.create();
  for (const step of steps) step(writer);
  return Buffer.from(writer.finish());
}

const text = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: "grapheme", minLength: 35, maxLength: 45 }),
  // Where the length takes a byte more, and where it does so only because characters take several bytes.
  fc
    .constantFrom(42, 43, 63, 64, 127, 128, 4095, 4096, 16_383, 16_384, 70_000)
    .chain((length) => fc.constantFrom("a", "ä", "字").map((unit) => unit.repeat(length))),
);
const { value, nested } = fc.letrec<{ value: Step; nested: Step }>((tie) => ({
  value: fc.oneof(
    fc.integer().map(
      (number): Step =>
        (writer) =>
          void writer.int32(number),
    ),
    fc.nat(2 ** 32 - 1).map(
      (number): Step =>
        (writer) =>
          void writer.uint32(number),
    ),
    fc.maxSafeInteger().map(
      (number): Step =>
        (writer) =>
          void writer.int64(number),
    ),
    fc.double().map(
      (number): Step =>
        (writer) =>
          void writer.double(number),
    ),
    fc.boolean().map(
      (truth): Step =>
        (writer) =>
          void writer.bool(truth),
    ),
    fc.uint8Array({ maxLength: 300 }).map(
      (bytes): Step =>
        (writer) =>
          void writer.bytes(bytes),
    ),
    text.map(
      (string): Step =>
        (writer) =>
          void writer.string(string),
    ),
  ),
  nested: fc
    .array(fc.oneof({ depthSize: "small" }, tie("value"), tie("nested")))
    .map((steps): Step => (writer) => {
      writer.fork();
      for (const step of steps) step(writer);
      writer.ldelim();
    }),
}));
const steps = fc.array(fc.oneof(value, nested));

test("a message has the bytes that protobufjs writes, behind its length", () => {
  const writer = new MessageWriter();
  fc.assert(
    fc.property(steps, (each) => {
      const bytes = written(each, writer);
      const expected = writtenByProtobufjs(each);
      expect(bytes.subarray(prefixBytes).equals(expected)).toBe(true);
      expect(bytes[0]).toBe(0);
      expect(bytes.readUInt32BE(1)).toBe(expected.length);
    }),
  );
});

test("a nested message may be longer than all the memory that the writer had", () => {
  const nesting: Step[] = [
    (writer) => writer.fork().uint32(10).fork().uint32(10),
    (writer) => writer.string("a".repeat(3 * 2 ** 20)),
    (writer) => writer.ldelim().uint32(8).int32(-1).ldelim(),
  ];
  expect(written(nesting).subarray(prefixBytes).equals(writtenByProtobufjs(nesting))).toBe(true);
});

test("messages keep their bytes when others are written", () => {
  const writer = new MessageWriter();
  for (const length of [10, 100_000]) {
    const first = written([(one) => one.string("a".repeat(length))], writer);
    const before = Buffer.from(first);
    written([(one) => one.string("b".repeat(length))], writer);
    expect(first.equals(before)).toBe(true);
  }
});

test("a message that could not be written leaves nothing in the next one", () => {
  const writer = new MessageWriter();
  const wrong = 1 as unknown as string;
  expect(() => written([(one) => one.fork().string(wrong)], writer)).toThrow(TypeError);
  const fine: Step = (one) => one.uint32(10).string("fine");
  expect(written([fine], writer)).toEqual(written([fine]));
});

test("half of a character becomes a replacement, in short strings as in long ones", () => {
  for (const length of [1, 60]) {
    const bytes = written([(writer) => writer.string(`${"a".repeat(length)}\uD800`)]);
    expect(bytes.subarray(prefixBytes + 1).toString()).toBe(`${"a".repeat(length)}\uFFFD`);
  }
});
