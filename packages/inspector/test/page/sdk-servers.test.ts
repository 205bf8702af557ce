import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createInspector } from "@parley/inspector";
import type { OpenInspector } from "@parley/inspector";
import type { Page } from "playwright-core";
import { openSdk02, openSdk03, openSdk10 } from "../../../a2a/test/client/sdk-servers.js";
import { byId, goTo, say } from "../support/browser/drive.js";
import { browserHere, openBrowser } from "../support/browser/open-browser.js";
import type { TestBrowser } from "../support/browser/open-browser.js";

// The SDK writes to the console whatever it refuses.
for (const method of ["error", "warn", "log"] as const) {
  vi.spyOn(console, method).mockImplementation(() => undefined);
}

const servers = [
  { sdk: "1.3.0", open: openSdk10, version: "1.0", dialect: "1.0" },
  { sdk: "0.3.14", open: openSdk03, version: "0.3", dialect: "0.3" },
  { sdk: "0.2.5", open: openSdk02, version: "0.2", dialect: "0.3" },
] as const;

describe.skipIf(!browserHere.isThere)(`official servers in the page, ${browserHere.name}`, () => {
  let browser: TestBrowser;
  let inspector: OpenInspector;
  let page: Page;

  beforeAll(async () => {
    browser = await openBrowser();
    inspector = await createInspector({ port: 0 }).open();
    ({ page } = await browser.newPage());
    await page.goto(inspector.newLink());
  });
  afterAll(async () => {
    await inspector.close();
    await browser[Symbol.asyncDispose]();
  });

  it.each(servers)("connects to SDK $sdk and talks to it", async ({ open, version, dialect }) => {
    await using server = await open();
    await goTo(page, "connect");
    await byId(page, "agent-url").fill(server.url);
    await byId(page, "connect").click();
    await byId(page, "connection", { status: "connected", version }).waitFor();
    await goTo(page, "chat");
    await say(page, "stream 5 1");
    await byId(page, "task", { state: "TASK_STATE_COMPLETED" }).waitFor();
    await expect.poll(() => byId(page, "artifact").innerText()).toContain("chunk 5");
    await byId(page, "hop", { dialect }).last().waitFor();
  });
});
