import { expect, it } from "vitest";
import type { JsonValue } from "../../protocol/internal.js";
import { encodeJson } from "./encode-json.js";

async function textOf(value: JsonValue): Promise<string> {
  const pieces = await encodeJson(value);
  for (const piece of pieces) expect(piece.byteLength).toBeLessThanOrEqual(64 * 1024);
  return new TextDecoder().decode(Buffer.concat(pieces));
}

const small: readonly JsonValue[] = [
  null,
  true,
  1.5,
  "",
  'quotes " and \\ and \n',
  "lone \ud800 surrogate, 🧳 pair",
  [],
  {},
  [[], {}, [null], { a: [] }],
  { "": 0, "a b": [1, "2", { c: null }], __proto__: 1 },
];

it.each(small)("encodes %j as JSON.stringify does", async (value) => {
  expect(await textOf(value)).toBe(JSON.stringify(value));
});

it("leaves out members that are undefined", async () => {
  const value = { a: undefined, b: [{ c: undefined }] } as unknown as JsonValue;
  expect(await textOf(value)).toBe(JSON.stringify(value));
});

it("encodes many small items, few large ones, and a mixture of both", async () => {
  const large = "🧳".repeat(50_000);
  const values: readonly JsonValue[] = [
    Array.from({ length: 20_000 }, (_, index) => ({ text: `chunk ${index}` })),
    Array.from({ length: 5 }, () => ({ text: large })),
    Array.from({ length: 3000 }, (_, index) => (index % 700 === 0 ? large : [index])),
  ];
  for (const parts of values) {
    const task = { id: "t", artifacts: [{ artifactId: "a", parts }], history: [] };
    expect((await textOf({ task })) === JSON.stringify({ task })).toBe(true);
  }
});

it("lets the event loop serve others meanwhile", async () => {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await encodeJson(Array.from({ length: 100_000 }, (_, index) => ({ text: `chunk ${index}` })));
  isDone = true;
  expect(turns).toBeGreaterThan(5);
});
