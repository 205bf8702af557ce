import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openSdk02, openSdk03, openSdk10 } from "../../../a2a/test/client/sdk-servers.js";
import { diagnose } from "./diagnose.js";

// The SDKs report on the console what they refuse.
beforeEach(() => void vi.spyOn(console, "error").mockReturnValue());
afterEach(() => void vi.restoreAllMocks());

describe("the doctor at servers of the official SDK", () => {
  it.each([
    { sdk: "1.3.0", open: openSdk10, warnings: [] },
    { sdk: "0.3.14", open: openSdk03, warnings: ["card-caching"] },
    { sdk: "0.2.5", open: openSdk02, warnings: ["card-caching"] },
  ])("finds no errors, and only cards without Cache-Control: $sdk", async ({ open, warnings }) => {
    await using server = await open();
    const diagnoses = await diagnose(server.url, { message: "stream 3 50" });
    expect(diagnoses.filter(({ verdict }) => verdict === "error")).toEqual([]);
    const warned = diagnoses.filter(({ verdict }) => verdict === "warn");
    expect(warned.map(({ check }) => check)).toEqual(warnings);
  });
});
