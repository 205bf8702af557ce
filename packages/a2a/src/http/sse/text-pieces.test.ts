import { expect, it } from "vitest";
import { TextPieces } from "./text-pieces.js";

it("gives back the text of its pieces, however many there are", () => {
  const pieces = new TextPieces();
  for (const count of [0, 1, 999, 1000, 1001, 123_456]) {
    const all = Array.from({ length: count }, (_, index) => String(index));
    for (const piece of all) pieces.add(piece);
    expect(pieces.length).toBe(all.join("").length);
    expect(pieces.take()).toBe(all.join(""));
    expect(pieces.length).toBe(0);
  }
});
