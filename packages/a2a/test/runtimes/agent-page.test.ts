import { chromium } from "playwright-core";
import { describe, expect, it } from "vitest";
import { agent } from "@parley/a2a/server";
import { openServer } from "../support/servers/open-server.js";
import { findChromium } from "./find-chromium.js";

const { executablePath, isThere, name } = findChromium();
/** What a busy machine may need to start a browser, or to show a page. */
const timeout = 120_000;

const long = agent({
  name: "A".repeat(200),
  description: `${"https://example.com/".padEnd(400, "x")} and more`,
  skills: [{ name: "B".repeat(200), examples: ["C".repeat(200)] }],
  run: () => "hi",
});
const other = agent({ name: "Other", description: "Is another", run: () => "hi" });

describe.skipIf(!isThere)(name, () => {
  it("the page of an agent has its style, obeys its own policy, and fits on a phone", async () => {
    await using server = await openServer({ agent: { "/": long, "/other": other } });
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout });
    try {
      const backgrounds = new Set<string>();
      for (const colorScheme of ["light", "dark"] as const) {
        const page = await browser.newPage({ colorScheme, viewport: { width: 320, height: 640 } });
        page.setDefaultTimeout(timeout);
        const complaints: string[] = [];
        page.on("console", (message) => complaints.push(message.text()));
        await page.goto(server.url);
        expect(complaints).toEqual([]);
        const width = await page.evaluate<number>("document.documentElement.scrollWidth");
        expect(width).toBeLessThanOrEqual(320);
        const color = "getComputedStyle(document.body).backgroundColor";
        backgrounds.add(await page.evaluate<string>(color));
        await page.getByRole("link", { name: "Other" }).click();
        await page.getByRole("heading", { name: "Other" }).waitFor();
        expect(page.url()).toBe(`${server.url}/other`);
      }
      // A page without its style is white in light, and both would be transparent.
      expect(backgrounds.size).toBe(2);
    } finally {
      await browser.close();
    }
  }, 300_000);
});
