import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSealer, newSealKey, parseSealKey } from "./sealer.js";

const older = parseSealKey("2025", newSealKey());
const newer = parseSealKey("2026", newSealKey());

describe("what is sealed", () => {
  it("opens in the place it was sealed for, with every key that is still known", async () => {
    const sealed = await createSealer([older]).seal("a secret, 秘密", "here");
    expect(sealed).toMatch(/^2025\.[\w-]+$/);
    expect(sealed).not.toContain("secret");
    const rotated = createSealer([newer, older]);
    expect(await rotated.open(sealed, "here")).toBe("a secret, 秘密");
    expect(await rotated.seal("x", "here")).toMatch(/^2026\./);
  });

  it("is nothing in another place, without its key, or under the id of another key", async () => {
    const sealed = await createSealer([older]).seal("a secret", "here");
    expect(await createSealer([older]).open(sealed, "there")).toBeUndefined();
    expect(await createSealer([newer]).open(sealed, "here")).toBeUndefined();
    const renamed = createSealer([{ id: "2026", bytes: older.bytes }]);
    expect(await renamed.open(sealed.replace("2025", "2026"), "here")).toBeUndefined();
  });

  it("is different every time", async () => {
    const sealer = createSealer([older]);
    expect(await sealer.seal("same", "here")).not.toBe(await sealer.seal("same", "here"));
  });

  it("is nothing when anything of it was changed, added or left out", async () => {
    const sealer = createSealer([older]);
    const sealed = await sealer.seal("a secret", "here");
    const change = fc.record({
      at: fc.nat(sealed.length),
      removed: fc.nat(3),
      added: fc.string({ maxLength: 3 }),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ at, removed, added }) => {
        const forged = sealed.slice(0, at) + added + sealed.slice(at + removed);
        fc.pre(forged !== sealed);
        expect(await sealer.open(forged, "here")).toBeUndefined();
      }),
      { numRuns: 500 },
    );
  });

  it("is nothing when it was made up", async () => {
    const sealer = createSealer([older]);
    const madeUp = fc.oneof(
      fc.string(),
      fc.base64String().map((text) => `2025.${text}`),
    );
    await fc.assert(
      fc.asyncProperty(madeUp, async (text) => {
        expect(await sealer.open(text, "here")).toBeUndefined();
      }),
    );
  });
});

describe("a key", () => {
  it.each(["", "short", "!".repeat(43), "A".repeat(42), "A".repeat(44)])(
    "that is no 32 bytes in base64 is refused with the way to make one: %j",
    (text) => {
      expect(() => parseSealKey("k", text)).toThrow(/openssl rand -base64 32/);
    },
  );

  it("is read with either alphabet, with padding and without", () => {
    const standard = `${"+/".repeat(21)}8=`;
    const url = `${"-_".repeat(21)}8`;
    expect(parseSealKey("k", standard)).toEqual(parseSealKey("k", url));
  });

  it.each(["", "a.b", "ä", "x".repeat(33)])("has an id that can be written with it: %j", (id) => {
    expect(() => createSealer([{ id, bytes: older.bytes }])).toThrow(/id of a key/);
  });

  it("has an id of its own, and there is one", () => {
    expect(() => createSealer([older, { ...newer, id: older.id }])).toThrow("two keys of the id");
    expect(() => createSealer([])).toThrow("sealing needs a key");
  });
});
