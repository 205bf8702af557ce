import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createInspector } from "@parley/inspector";
import type { OpenInspector } from "@parley/inspector";
import type { Page } from "playwright-core";
import { openDemo } from "../../../a2a/test/support/servers/open-demo.js";
import { byId, enter, goTo, say } from "../support/browser/drive.js";
import { browserHere, openBrowser } from "../support/browser/open-browser.js";
import type { TestBrowser } from "../support/browser/open-browser.js";
import { openHostileAgent } from "./hostile-agent.js";
import type { HostileAgent } from "./hostile-agent.js";

describe.skipIf(!browserHere.isThere)(`attacks on the page, ${browserHere.name}`, () => {
  let browser: TestBrowser;
  let agent: HostileAgent;
  let inspector: OpenInspector;
  let page: Page;
  const asked: string[] = [];

  beforeAll(async () => {
    browser = await openBrowser();
    agent = await openHostileAgent();
    inspector = await createInspector({ port: 0, url: agent.url }).open();
    ({ page } = await browser.newPage());
    page.on("request", (request) => asked.push(request.url()));
    await enter(page, inspector.newLink());
  });
  afterAll(async () => {
    await inspector.close();
    await agent[Symbol.asyncDispose]();
    await browser[Symbol.asyncDispose]();
  });

  /** Says something in a new conversation, and waits for the answer. */
  async function ask(text: string): Promise<void> {
    await goTo(page, "chat");
    await say(page, text);
    await page.locator("[data-testid=artifact], [role=alert]").first().waitFor({ timeout: 90_000 });
  }

  const isHacked = (): Promise<boolean> => page.evaluate(() => "hacked" in globalThis);

  it("shows scripts and handlers of an agent as text", async () => {
    await ask("script");
    const text = await byId(page, "artifact").innerText();
    expect(text).toContain("<script>globalThis.hacked = true</script>");
    expect(text).toContain("onerror");
    expect(await byId(page, "artifact").locator("img, script, b").count()).toBe(0);
    expect(await isHacked()).toBe(false);
  });

  it("makes links of http alone, and loads no image from elsewhere", async () => {
    await ask("link");
    const links = byId(page, "artifact").locator("a");
    await links.first().waitFor();
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
      "https://a.example/",
      "https://tracker.example/p.png",
    ]);
    await expect.poll(() => links.first().getAttribute("rel")).toContain("noopener");
    await goTo(page, "connect");
    await page.getByText("Documentation").waitFor();
    expect(await page.locator('a[href^="javascript"]').count()).toBe(0);
  });

  it("shows a drawing as an image, whose scripts do not run", async () => {
    await ask("svg");
    const image = byId(page, "artifact").locator("img");
    await image.waitFor();
    await expect.poll(() => image.getAttribute("src")).toMatch(/^blob:/);
    expect(await isHacked()).toBe(false);
  });

  it("shows HTML on request only, in a frame without scripts", async () => {
    await ask("html");
    expect(await page.locator("iframe").count()).toBe(0);
    await page.getByRole("button", { name: "Show it, without scripts" }).click();
    await page.frameLocator("iframe").getByRole("heading", { name: "Hello" }).waitFor();
    await expect.poll(() => page.locator("iframe").getAttribute("sandbox")).toBe("");
    expect(await isHacked()).toBe(false);
  });

  it("shows characters that turn a name around", async () => {
    await ask("bidi");
    await expect.poll(() => byId(page, "artifact").innerText()).toContain("invoice[U+202E]fdp.exe");
    await goTo(page, "skills");
    await expect.poll(() => byId(page, "skill").innerText()).toContain("[U+202E]evil");
  });

  it("shows as text what overflows the reader of Markdown", async () => {
    await ask("quotes");
    await expect.poll(() => byId(page, "artifact").innerText()).toContain(">>>>>>");
  });

  it("shows ten thousand levels of JSON on the wire, or says why not", async () => {
    await ask("deep");
    await byId(page, "hop").last().click();
    await byId(page, "translation").last().locator(".json-line").first().waitFor();
    await expect.poll(() => byId(page, "composer").isEnabled()).toBe(true);
  });

  it("stays usable with fifty megabytes of text", async () => {
    await ask("large");
    expect(await page.evaluate(() => document.body.innerText.length)).toBeLessThan(1_000_000);
    await goTo(page, "connect");
    await byId(page, "agent-url").waitFor();
  });

  it("asks nobody but its backend", () => {
    const { origin } = new URL(inspector.url);
    const others = asked.filter((url) => !url.startsWith(origin) && !url.startsWith("blob:"));
    expect(others).toEqual([]);
  });

  it("forgets secrets as soon as the backend has them", async () => {
    const canary = "canary-4f1d9a77";
    await goTo(page, "connect");
    await page.getByLabel("Secret for key").fill(canary);
    await page.getByRole("button", { name: "Connect with these" }).click();
    await page.getByText("The backend has it").waitFor();
    await ask("script");
    await page.getByText("Headers of the request").click();
    const held = await page.evaluate(() =>
      JSON.stringify([
        document.documentElement.outerHTML,
        Array.from(
          document.querySelectorAll("input, textarea"),
          (field) => (field as HTMLInputElement).value,
        ),
        Object.entries(localStorage),
        Object.entries(sessionStorage),
        location.href,
      ]),
    );
    expect(held).not.toContain(canary);
  });
});

describe.skipIf(!browserHere.isThere)(`a backend that goes away, ${browserHere.name}`, () => {
  it("is missed in a banner, and the page goes on when it is back", async () => {
    await using browser = await openBrowser();
    await using agent = await openDemo();
    const sessionKey = crypto.getRandomValues(new Uint8Array(32));
    const first = await createInspector({ port: 0, url: agent.url, sessionKey }).open();
    const { page } = await browser.newPage();
    await enter(page, first.newLink());
    await say(page, "task before");
    await byId(page, "task", { state: "TASK_STATE_COMPLETED" }).waitFor();
    await first.close();
    await byId(page, "backend", { status: "lost" }).waitFor();
    await expect.poll(() => byId(page, "backend").innerText()).toContain("does not answer");
    await expect.poll(() => byId(page, "artifact").innerText()).toContain("before");
    const second = await createInspector({ port: first.port, url: agent.url, sessionKey }).open();
    await byId(page, "backend", { status: "live" }).waitFor();
    await byId(page, "connection", { status: "connected" }).waitFor();
    await goTo(page, "chat");
    await say(page, "task after");
    await byId(page, "task", { state: "TASK_STATE_COMPLETED" }).waitFor();
    await byId(page, "hop").last().waitFor();
    await second.close();
  });
});
