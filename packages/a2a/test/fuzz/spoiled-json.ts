/** JSON text with mistakes that no value has: in its numbers, names, characters and bytes. */
import fc from "fast-check";
import type { Arbitrary } from "fast-check";

/** Texts that are put in the place of a value: JSON that readers trip over. */
const hostile: readonly string[] = [
  "1e400",
  "-1e400",
  "-0",
  "0.1e-400",
  "9007199254740993",
  "1".repeat(400),
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\u0000"',
  '"\\u202e\\ufeff"',
  '"\u{1f600}"',
  `"${"x".repeat(70_000)}"`,
  `"${"\\u0041".repeat(2000)}"`,
  '{"a":1,"a":2}',
  '{"__proto__":{"polluted":1}}',
  '{"":0}',
  `${"[".repeat(150)}${"]".repeat(150)}`,
  `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`,
  `[${"0,".repeat(20_000)}0]`,
  `{${Array.from({ length: 5000 }, (_, index) => `"${5000 - index}":0`).join(",")}}`,
  '{"text":"a","data":{},"url":"https://a.example","raw":"AA=="}',
  '{"kind":"text","type":"file","text":"a","file":{"bytes":"AA==","uri":"https://a.example"}}',
  '"TASK-0"',
  '"TASK-1"',
  '"TASK-3"',
  "null",
];

/** The same, no JSON any more. */
const broken: readonly string[] = ["", "[", "'x'", "NaN", "0x1", "01", '"\n"', "/**/1", "\ufeff1"];

export interface Edit {
  readonly kind: "value" | "twice" | "byte" | "insert" | "cut";
  readonly place: number;
  readonly text: string;
  readonly byte: number;
}

const edit: Arbitrary<Edit> = fc.record({
  kind: fc.oneof(
    { weight: 8, arbitrary: fc.constant("value" as const) },
    { weight: 2, arbitrary: fc.constant("twice" as const) },
    { weight: 1, arbitrary: fc.constantFrom("byte" as const, "insert", "cut") },
  ),
  place: fc.nat(5000),
  text: fc.oneof(
    { weight: 15, arbitrary: fc.constantFrom(...hostile) },
    { weight: 1, arbitrary: fc.constantFrom(...broken) },
  ),
  byte: fc.nat(255),
});

/** Mostly none or one, so that most requests are read far. */
export const edits: Arbitrary<readonly Edit[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: fc.array(edit, { minLength: 1, maxLength: 2 }) },
);

/** Names are found along with values, so that no match begins within one. */
const token = /"(?:[^"\\]|\\.)*"(?:\s*:)?|-?\d[\d.eE+-]*|true|false|null/g;
const member = /"(?:[^"\\]|\\.)*"\s*:\s*(?:"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null)/g;

/** Applies edits to the bytes of a text. */
export function spoil(text: string, given: readonly Edit[]): Buffer {
  let bytes = Buffer.from(text);
  for (const { kind, place, text: value, byte } of given) {
    if (kind === "value") {
      bytes = Buffer.from(replaceOne(bytes.toString(), token, place, () => value));
    } else if (kind === "twice") {
      const repeat = (found: string): string => `${found},${found}`;
      bytes = Buffer.from(replaceOne(bytes.toString(), member, place, repeat));
    } else if (bytes.length > 0) {
      const at = place % bytes.length;
      if (kind === "byte") bytes[at] = byte;
      else if (kind === "cut") bytes = bytes.subarray(0, at);
      else bytes = Buffer.concat([bytes.subarray(0, at), Buffer.of(byte), bytes.subarray(at)]);
    }
  }
  return bytes;
}

/** Replaces the match at a place, counted round and round. */
function replaceOne(
  text: string,
  pattern: RegExp,
  place: number,
  replace: (found: string) => string,
): string {
  const found = Array.from(text.matchAll(pattern)).filter(([one]) => !one.endsWith(":"));
  const one = found[place % Math.max(found.length, 1)];
  if (one === undefined) return text;
  return text.slice(0, one.index) + replace(one[0]) + text.slice(one.index + one[0].length);
}
