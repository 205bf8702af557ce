import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Connection } from "@parley/inspector/contract";
import type { Page } from "playwright-core";
import { byId, enter, goTo, press, say } from "../support/browser/drive.js";
import { browserHere, openBrowser } from "../support/browser/open-browser.js";
import type { TestBrowser } from "../support/browser/open-browser.js";
import { openOffice } from "../support/office/open-office.js";
import type { Office } from "../support/office/open-office.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const folder = `${root}docs/inspector/`;
const size = { width: 1200, height: 760 };

/** Whether the pictures are taken anew: `UPDATE_PICTURES=1`. Else it is only checked that they could be. */
const isUpdate = process.env["UPDATE_PICTURES"] === "1";

describe("the pictures of the documents", () => {
  const named = ["README.md", "docs/inspector.md"].flatMap((file) =>
    [...readFileSync(root + file, "utf8").matchAll(/inspector\/([\w-]+\.png)/g)].map(
      ([, name]) => name ?? "",
    ),
  );

  it("are there, each is named by a document, and all have the same size", () => {
    expect([...new Set(named)].sort()).toEqual(readdirSync(folder).sort());
    for (const name of named) {
      const head = readFileSync(folder + name).subarray(0, 24);
      const [width, height] = [head.readUInt32BE(16), head.readUInt32BE(20)];
      expect({ name, type: head.toString("latin1", 1, 4), width, height }).toEqual({
        name,
        type: "PNG",
        ...size,
      });
    }
  });
});

/** Each picture shows what a real server has done; a screen without it has no picture. */
describe.runIf(browserHere.isThere)(`what the pictures show, ${browserHere.name}`, () => {
  let browser: TestBrowser;
  let office: Office;
  let page: Page;
  let complaints: readonly string[];

  beforeAll(async () => {
    [browser, office] = await Promise.all([openBrowser(), openOffice()]);
    ({ page, complaints } = await browser.newPage(size));
    await enter(page, office.inspector.newLink());
  });
  afterAll(async () => {
    await browser[Symbol.asyncDispose]();
    await office[Symbol.asyncDispose]();
  });

  /** Takes a picture once all of it is there. */
  async function shoot(name: string, ...shown: readonly string[]): Promise<void> {
    for (const text of shown)
      await page.getByText(text).filter({ visible: true }).first().waitFor();
    if (!isUpdate) return;
    await page.mouse.move(0, 0);
    await page.evaluate(() => document.fonts.ready);
    await page.waitForTimeout(400);
    await page.screenshot({ path: `${folder}${name}.png` });
  }

  it("is a conversation, a cut connection, and the wire in all dialects", async () => {
    await say(page, "A hotel in Lisbon for two nights from Friday, near the river, under €180.");
    await byId(page, "question").waitFor();
    const { connections } = await office.page.ask<{ connections: readonly Connection[] }>(
      "connections",
    );
    const { id } = connections.at(-1) ?? {};
    await office.page.ask(`connections/${id}/fault`, { kind: "cut", afterEvents: 12 });
    await say(page, "Yes");
    await byId(page, "drop", { lost: "0", repeated: "0" }).waitFor();
    await byId(page, "task", { state: "TASK_STATE_COMPLETED" }).waitFor();
    const cut = page.locator(".hop:has([data-tone=failed])").last();
    await cut.click();
    await page.getByRole("tab", { name: "0.1" }).click();
    await page.locator("[data-lost]").first().waitFor();
    await shoot("chat", "Pensão Aurora", "Booked at Casa do Rio");
    await byId(page, "wire-wide").click();
    await expect.poll(() => byId(page, "translation").count()).toBeGreaterThanOrEqual(5);
    await shoot("wire");
    await byId(page, "wire-wide").click();
  });

  it("is a card with its interfaces, and a skill", async () => {
    await goTo(page, "connect");
    await page.getByRole("button", { name: "Call each" }).click();
    await page.locator(".main").focus();
    await press(page, "w");
    await shoot("connect", "Answers", "Travel desk");
    await goTo(page, "skills/hotels");
    await byId(page, "example").click();
    await shoot("skills", "Finds a hotel and holds a room");
  });

  it("is the life of a task, and all tasks", async () => {
    await goTo(page, `tasks/${office.story}?seq=904&vs=4`);
    await byId(page, "diff").waitFor();
    await expect.poll(() => byId(page, "diff").getAttribute("data-from")).toBe("4");
    await shoot("task", "chunks", "hotels.csv");
    await goTo(page, "tasks");
    await byId(page, "task", { "task-id": office.story }).waitFor();
    await shoot("tasks", "Input required", "Failed");
  });

  it("is what is stuck, and notifications with their checks", async () => {
    await goTo(page, "operate");
    await expect.poll(() => byId(page, "stuck").count()).toBe(3);
    await byId(page, "dead-letter").first().waitFor();
    await shoot("operate", "Crash loop", "Silent", "No node works on it");
    await goTo(page, "push");
    const verified = byId(page, "delivery", { verified: "true" }).first();
    await verified.getByRole("button", { name: "More" }).click();
    await shoot("push", "verified with a key of the agent");
  });

  it("is one message to two versions of an agent", async () => {
    await goTo(page, "compare");
    await byId(page, "compare-message").fill("notify me of changes");
    await byId(page, "compare-send").click();
    await byId(page, "aligned").waitFor();
    await shoot("compare", "Both tasks ended the same.");
  });

  it("is drawn without a complaint of the browser", () => {
    expect(complaints).toEqual([]);
  });
});
