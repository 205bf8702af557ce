import { describe, expect, it } from "vitest";
import type { Part } from "../part.js";
import { textOf } from "./text-of.js";

const parts: readonly Part[] = [
  { text: "Flights" },
  { data: { to: "Oslo" } },
  { text: "" },
  { url: "https://a.example/plan.pdf" },
  { text: "Hotels" },
];

describe("the text", () => {
  it("of a message has each text part on a line of its own", () => {
    expect(textOf({ messageId: "m", role: "ROLE_USER", parts })).toBe("Flights\n\nHotels");
  });

  it("of parts alone is read like a message's", () => {
    expect(textOf({ parts })).toBe("Flights\n\nHotels");
  });

  it("of an artifact is one piece, however many chunks it came in", () => {
    const chunks = ["Flights to ", "Oslo", ", and hotels"].map((text) => ({ text }));
    expect(textOf({ artifactId: "a", parts: chunks })).toBe("Flights to Oslo, and hotels");
  });

  it("is empty where there is none", () => {
    expect(textOf({ parts: [{ data: 1 }] })).toBe("");
    expect(textOf({ artifactId: "a", parts: [{ raw: "AA==" }] })).toBe("");
  });
});
