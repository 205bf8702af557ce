import { describe, expect, it } from "vitest";
import { operations } from "../../protocol/internal.js";
import { requireScopes, standardScopes } from "./authorize.js";
import { verifies } from "../../../test/spec/verifies.js";

const ann = (...scopes: string[]) => ({ subject: "ann", scopes });

describe("scopes", () => {
  it.each(operations)("let %s through to who has what it needs, and nobody else", (operation) => {
    verifies("extended-card:permission");
    const authorize = requireScopes();
    const scopes = standardScopes[operation];
    expect(authorize(ann(...scopes), operation, {})).toBe(true);
    const others = Object.values(standardScopes)
      .flat()
      .filter((scope) => !scopes.includes(scope));
    const refused = { missingScopes: scopes, requiredScopes: scopes };
    expect(authorize(ann(...others), operation, {})).toEqual(refused);
    expect(authorize(undefined, operation, {})).toEqual(refused);
    expect(authorize({ subject: "ann" }, operation, {})).toEqual(refused);
  });

  it("of a skill are needed besides those of the operation", () => {
    const authorize = requireScopes({
      operations: { sendMessage: ["send"] },
      skills: { book: ["travel:book", "travel:pay"] },
    });
    const sends = (scopes: string[], skill?: string) =>
      authorize(ann(...scopes), "sendMessage", skill === undefined ? {} : { skill });
    expect(sends(["send"])).toBe(true);
    expect(sends(["send"], "search")).toBe(true);
    expect(sends(["send", "travel:book", "travel:pay"], "book")).toBe(true);
    const requiredScopes = ["send", "travel:book", "travel:pay"];
    expect(sends(["send", "travel:book"], "book")).toEqual({
      missingScopes: ["travel:pay"],
      requiredScopes,
    });
    expect(sends(["travel:book", "travel:pay"], "book")).toEqual({
      missingScopes: ["send"],
      requiredScopes,
    });
    expect(sends(["send"], "constructor")).toBe(true);
    expect(authorize(undefined, "getTask", {})).toBe(true);
  });
});
