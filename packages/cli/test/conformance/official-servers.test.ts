import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openSdk02, openSdk03, openSdk10 } from "../../../a2a/test/client/sdk-servers.js";
import { checkAgent, failuresOf } from "./check-agent.js";
import { knownFailures } from "./known-failures.js";

// The SDKs report on the console what they refuse.
beforeEach(() => void vi.spyOn(console, "error").mockReturnValue());
afterEach(() => void vi.restoreAllMocks());

const page = readFileSync(
  new URL("../../../../docs/conformance-of-others.md", import.meta.url),
  "utf8",
);

describe("servers of the official SDK", () => {
  it.each([
    { sdk: "1.3.0", open: openSdk10 },
    { sdk: "0.3.14", open: openSdk03 },
    { sdk: "0.2.5", open: openSdk02 },
  ])("fail where the page says so, and nowhere else: $sdk", async ({ sdk, open }) => {
    await using server = await open();
    const results = await checkAgent(server.url, { message: "hello", slowMessage: "stream 3 50" });
    const known = knownFailures[sdk] ?? [];
    expect(failuresOf(results)).toEqual(
      Object.fromEntries(known.map(({ id, interfaces }) => [id, interfaces])),
    );
    expect(results.filter(({ status }) => status === "pass").length).toBeGreaterThan(30);
  });

  it("are argued with, failure by failure, in docs/conformance-of-others.md", () => {
    for (const [sdk, failures] of Object.entries(knownFailures)) {
      const [, section = ""] = page.split(`## SDK ${sdk}\n`);
      const [own = ""] = section.split("\n## ");
      for (const { id, why } of failures) {
        expect(own).toContain(`\`${id}\``);
        expect(own).toContain(why);
      }
    }
  });
});
