import { describe, expect, it } from "vitest";
import { ArrivingBody, BodyPool } from "./body-pool.js";

const piece = (size: number, byte = 120): Uint8Array => new Uint8Array(size).fill(byte);

function open(
  pool: BodyPool,
  { maxBytes = 1000, declared }: { maxBytes?: number; declared?: number } = {},
) {
  const refusals: string[] = [];
  const refuse = (error: Error & { readonly code: string }): void => {
    refusals.push(error.code);
  };
  return { body: new ArrivingBody({ pool, maxBytes, declared, refuse }), refusals };
}

describe("a body that arrives", () => {
  it("is what came, in pieces of any size", () => {
    const pool = new BodyPool();
    const { body } = open(pool, { maxBytes: 100_000 });
    const text = Array.from({ length: 5000 }, (_, index) => String(index)).join(" ");
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at < bytes.length;) {
      const size = 1 + (at % 17);
      body.add(bytes.subarray(at, at + size));
      at += size;
    }
    expect(pool.bytes).toBe(bytes.length);
    expect(new TextDecoder().decode(body.take())).toBe(text);
    expect(pool.bytes).toBe(0);
    expect(open(pool).body.take()).toEqual(new Uint8Array());
  });

  it("that is one piece is that piece, not a copy", () => {
    const { body } = open(new BodyPool(), { declared: 10 });
    const whole = piece(10);
    body.add(whole);
    expect(body.take().buffer).toBe(whole.buffer);
  });

  it("is refused once beyond its limit, and holds nothing any more", () => {
    const pool = new BodyPool();
    const { body, refusals } = open(pool);
    body.add(piece(600));
    body.add(piece(600));
    body.add(piece(600));
    expect([refusals, pool.bytes]).toEqual([["REQUEST_TOO_LARGE"], 0]);
  });
});

describe("a server that holds too much", () => {
  it("gives up the body that has waited longest, not the one that comes", () => {
    const pool = new BodyPool(1000);
    const [silent, slow, busy] = [open(pool), open(pool), open(pool)];
    slow.body.add(piece(300));
    silent.body.add(piece(300));
    busy.body.add(piece(300));
    slow.body.add(piece(50));
    busy.body.add(piece(300));
    expect([silent.refusals, slow.refusals, busy.refusals]).toEqual([["UNAVAILABLE"], [], []]);
    expect(pool.bytes).toBe(950);
    busy.body.add(piece(400));
    expect([slow.refusals, busy.refusals]).toEqual([["UNAVAILABLE"], []]);
    expect(busy.body.take()).toHaveLength(1000);
    expect(pool.bytes).toBe(0);
  });

  it("keeps what is complete, and refuses what comes if there is nothing else", () => {
    const pool = new BodyPool(1000);
    const complete = open(pool, { declared: 900 });
    complete.body.add(piece(900));
    const late = open(pool, { declared: 200 });
    late.body.add(piece(200));
    expect([complete.refusals, late.refusals]).toEqual([[], ["UNAVAILABLE"]]);
    expect(complete.body.take()).toHaveLength(900);
  });

  it("counts nothing for callers who have left", () => {
    const pool = new BodyPool(1000);
    for (let index = 0; index < 100; index += 1) {
      const { body, refusals } = open(pool);
      body.add(piece(900));
      body.leave();
      body.leave();
      expect(refusals).toEqual([]);
    }
    expect(pool.bytes).toBe(0);
  });
});
