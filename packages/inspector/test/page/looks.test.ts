import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Server } from "@parley/a2a/node";
import { createInspector } from "@parley/inspector";
import type { OpenInspector } from "@parley/inspector";
import type { Page } from "playwright-core";
import { openDemo } from "../../../a2a/test/support/servers/open-demo.js";
import { byId, enter, goTo, say } from "../support/browser/drive.js";
import { expectAccessible } from "../support/browser/expect-accessible.js";
import { browserHere, openBrowser } from "../support/browser/open-browser.js";
import type { TestBrowser } from "../support/browser/open-browser.js";

const built = fileURLToPath(new URL("../../dist/page/", import.meta.url));

describe("the size of the page", () => {
  const assets = readdirSync(join(built, "assets")).map((name) => ({
    name,
    bytes: gzipSync(readFileSync(join(built, "assets", name))).length,
  }));

  it("is at most 150 KB for the first screen, compressed", () => {
    const first = assets.filter(({ name }) => isFirst(name));
    expect(first.length).toBeGreaterThan(1);
    expect(sum(first)).toBeLessThan(150_000);
  });

  it("is at most 350 KB in all", () => {
    expect(sum(assets)).toBeLessThan(350_000);
  });

  /** What the document names, and what those files import at once. */
  function isFirst(name: string): boolean {
    const html = readFileSync(join(built, "index.html"), "utf8");
    if (html.includes(name)) return true;
    return assets
      .filter((asset) => asset.name.endsWith(".js") && html.includes(asset.name))
      .some((asset) =>
        new RegExp(`from\\s*"\\./${name.replaceAll(".", "\\.")}"`).test(
          readFileSync(join(built, "assets", asset.name), "utf8"),
        ),
      );
  }

  function sum(some: typeof assets): number {
    return some.reduce((total, { bytes }) => total + bytes, 0);
  }
});

describe.skipIf(!browserHere.isThere)(`the looks of the page, ${browserHere.name}`, () => {
  let browser: TestBrowser;
  let agent: Server;
  let inspector: OpenInspector;

  beforeAll(async () => {
    browser = await openBrowser();
    agent = await openDemo();
    inspector = await createInspector({ port: 0, url: agent.url }).open();
  });
  afterAll(async () => {
    await inspector.close();
    await agent[Symbol.asyncDispose]();
    await browser[Symbol.asyncDispose]();
  });

  it.each([360, 1280])("pass axe at %i px on every screen, in both themes", async (width) => {
    const { page, context } = await browser.newPage({ width });
    await enter(page, inspector.newLink());
    const look = async (name: string): Promise<void> => {
      await expectAccessible(page, `${name}, ${width} px`);
      const isTooWide = await page.evaluate(
        () => document.documentElement.scrollWidth > document.documentElement.clientWidth,
      );
      expect(isTooWide, `${name} scrolls sideways`).toBe(false);
      expect(await areApart(page), `the parts of the top bar, ${name}`).toBe(true);
    };
    await look("chat, empty");
    await say(page, "flight");
    await byId(page, "question").waitFor();
    await look("chat, question");
    await goTo(page, "chat");
    await say(page, "file");
    await byId(page, "task", { state: "TASK_STATE_COMPLETED" }).waitFor();
    await look("chat, file");
    if (width < 720) await page.getByRole("button", { name: "Wire", exact: true }).click();
    await byId(page, "translation").first().waitFor();
    await page.getByRole("tab", { name: "0.1" }).click();
    await look("wire");
    if (width < 720) await page.getByRole("button", { name: "Chat", exact: true }).click();
    for (const route of ["connect", "skills/stream", "tasks", "compare", "file"]) {
      await goTo(page, route);
      await page.locator(".main h2, .main h3").first().waitFor();
      await look(route);
    }
    await page.getByRole("button", { name: "Help" }).click();
    await look("help");
    await context.close();
  });

  it("say what to do where there is no session", async () => {
    const { page, context } = await browser.newPage();
    await page.goto(inspector.url);
    await page.getByText("Open the link that was printed").waitFor();
    await context.close();
  });

  it("keep the theme that a person has chosen", async () => {
    const { page, context } = await browser.newPage();
    await enter(page, inspector.newLink());
    const background = (): Promise<string> =>
      page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.getByRole("button", { name: "Use the dark theme" }).click();
    await expect.poll(background).not.toBe(light);
    await page.reload();
    await page.getByRole("button", { name: "Use the light theme" }).waitFor();
    await expect.poll(background).not.toBe(light);
    await context.close();
  });
});

/** Whether no part of the top bar reaches into the next. */
function areApart(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    const parts = [...document.querySelectorAll(".brand, .top-agent > *, .top-tools > *")]
      .map((part) => part.getBoundingClientRect())
      .filter(({ width }) => width > 0);
    return parts.every((part, index) => index === 0 || part.left >= (parts[index - 1]?.right ?? 0));
  });
}
