import fc from "fast-check";
import { expect, test } from "vitest";
import { BlockPool } from "./block-pool.js";
import { KeptPieces } from "./kept-pieces.js";

function readAll(kept: KeptPieces): { at: number; text: string }[] {
  const parts: { at: number; bytes: Uint8Array }[] = [];
  kept.read(({ at, bytes }) => parts.push({ at, bytes: new Uint8Array(bytes) }));
  const times = [...new Set(parts.map(({ at }) => at))];
  return times.map((at) => ({
    at,
    text: Buffer.concat(parts.filter((one) => one.at === at).map(({ bytes }) => bytes)).toString(),
  }));
}

test("pieces are read as they were written, in order and with their times, whatever their length", () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme", minLength: 1 }),
    fc
      .tuple(fc.string({ unit: "grapheme", minLength: 1, maxLength: 3 }), fc.nat(20_000))
      .map(([unit, times]) => unit.repeat(times + 1)),
  );
  const pool = new BlockPool();
  fc.assert(
    fc.property(fc.array(fc.tuple(text, fc.boolean()), { maxLength: 12 }), (given) => {
      const kept = new KeptPieces(pool);
      for (const [at, [piece, isText]] of given.entries()) {
        kept.add(isText ? piece : Buffer.from(piece), at);
      }
      expect(readAll(kept)).toEqual(given.map(([piece], at) => ({ at, text: piece })));
      expect(kept.isEmpty).toBe(true);
    }),
  );
});

test("memory that was given back is used again, and what was read before stays as it was", () => {
  const pool = new BlockPool();
  const taken = new Set<Uint8Array>();
  const counting = {
    blockBytes: pool.blockBytes,
    take() {
      const block = pool.take();
      taken.add(block);
      return block;
    },
    give: (block: Uint8Array) => pool.give(block),
  } as BlockPool;
  for (let round = 0; round < 5; round += 1) {
    const kept = new KeptPieces(counting);
    const text = String(round).repeat(2 * pool.blockBytes);
    expect(kept.add(text, round)).toBe(2 * pool.blockBytes);
    expect(readAll(kept)).toEqual([{ at: round, text }]);
  }
  expect(taken.size).toBe(2);
});

test("two streams that are kept at the same time do not share a block", () => {
  const pool = new BlockPool();
  const [one, other] = [new KeptPieces(pool), new KeptPieces(pool)];
  for (let at = 0; at < 100; at += 1) {
    one.add(`one ${at};`, 1);
    other.add(`other ${at};`, 1);
  }
  const numbers = Array.from({ length: 100 }, (_, at) => at);
  expect(readAll(one)).toEqual([{ at: 1, text: numbers.map((at) => `one ${at};`).join("") }]);
  expect(readAll(other)).toEqual([{ at: 1, text: numbers.map((at) => `other ${at};`).join("") }]);
});
