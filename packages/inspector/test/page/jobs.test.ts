import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Server } from "@parley/a2a/node";
import { createInspector } from "@parley/inspector";
import type { OpenInspector } from "@parley/inspector";
import type { Page } from "playwright-core";
import { openDemo } from "../../../a2a/test/support/servers/open-demo.js";
import { byId, enter, goTo, press, say, tabTo } from "../support/browser/drive.js";
import { browserHere, openBrowser } from "../support/browser/open-browser.js";
import type { TestBrowser } from "../support/browser/open-browser.js";

describe.skipIf(!browserHere.isThere)(`the jobs of the page, ${browserHere.name}`, () => {
  let browser: TestBrowser;
  let agent: Server;
  let inspector: OpenInspector;
  let page: Page;
  let complaints: readonly string[];

  beforeAll(async () => {
    browser = await openBrowser();
    agent = await openDemo();
    inspector = await createInspector({ port: 0, url: agent.url }).open();
    ({ page, complaints } = await browser.newPage());
    await enter(page, inspector.newLink());
  });
  afterAll(async () => {
    await inspector.close();
    await agent[Symbol.asyncDispose]();
    await browser[Symbol.asyncDispose]();
  });

  it("takes the code out of the address, and keeps the token in this tab", async () => {
    expect(page.url()).not.toContain("code");
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("session");
  });

  it("shows why the agent said that: questions, answers and artifacts in order", async () => {
    await say(page, "flight");
    await byId(page, "question").first().waitFor();
    await say(page, "From Lisbon to Oslo");
    await byId(page, "question").nth(1).waitFor();
    await say(page, "tomorrow");
    await byId(page, "task", { state: "TASK_STATE_COMPLETED" }).waitFor();
    await expect.poll(() => byId(page, "question").first().innerText()).toContain("answered after");
    await expect
      .poll(() => byId(page, "artifact").first().innerText())
      .toContain("FlightItinerary.json");
    await expect.poll(() => byId(page, "send").innerText()).toContain("Send");
  });

  it("sends a message again, edited, and offers to compare the two tasks", async () => {
    await goTo(page, "chat");
    await say(page, "task one");
    await byId(page, "task", { state: "TASK_STATE_COMPLETED" }).waitFor();
    const first = await byId(page, "task").getAttribute("data-task-id");
    await byId(page, "again").click();
    await expect.poll(() => byId(page, "composer").inputValue()).toBe("task one");
    await byId(page, "composer").fill("task two");
    await byId(page, "send").click();
    await expect.poll(() => byId(page, "task").getAttribute("data-task-id")).not.toBe(first);
    await page.getByRole("link", { name: "Compare" }).last().click();
    await byId(page, "aligned").waitFor();
    await expect.poll(() => byId(page, "diff").textContent()).toContain("two");
    await expect.poll(() => byId(page, "diff").textContent()).toContain("one");
  });

  it("sends again, edited, and compares by keyboard alone", async () => {
    await page.locator(".main").focus();
    await press(page, "g", "h");
    await byId(page, "composer").waitFor();
    await press(page, "/");
    await page.keyboard.type("task three");
    await press(page, "Control+Enter");
    await byId(page, "task", { state: "TASK_STATE_COMPLETED" }).waitFor();
    const first = await byId(page, "task").getAttribute("data-task-id");
    await tabTo(page, byId(page, "again"));
    await press(page, "Enter");
    await expect.poll(() => page.locator(":focus").inputValue()).toBe("task three");
    await press(page, "Control+a");
    await page.keyboard.type("task four");
    await press(page, "Control+Enter");
    await expect.poll(() => byId(page, "task").getAttribute("data-task-id")).not.toBe(first);
    await tabTo(page, page.locator("a[href*='#/compare?left=']"));
    await press(page, "Enter");
    await expect.poll(() => byId(page, "diff").textContent()).toContain("four");
  });

  it("drops the connection, and proves that nothing was lost or repeated", async () => {
    await goTo(page, "chat");
    await say(page, "stream 30 60");
    await byId(page, "artifact").waitFor();
    await byId(page, "drop-connection").click();
    await byId(page, "drop", { lost: "0", repeated: "0" }).waitFor();
    await expect.poll(() => byId(page, "drop").getAttribute("data-resumed-by")).toBe("sequence");
    await byId(page, "task", { state: "TASK_STATE_COMPLETED" }).waitFor();
    await expect.poll(() => byId(page, "artifact").innerText()).toMatch(/chunk 1 .*chunk 30/s);
  });

  it("cancels: asked, acknowledged, ended", async () => {
    await goTo(page, "chat");
    await say(page, "wait 30");
    await byId(page, "cancel").click();
    await byId(page, "cancel-line", { cancel: "ended" }).waitFor();
    await expect
      .poll(() => byId(page, "cancel-line").innerText())
      .toBe("Cancel asked · acknowledged · ended");
    await expect
      .poll(() => byId(page, "task").getAttribute("data-state"))
      .toBe("TASK_STATE_CANCELED");
  });

  it("says what the card says, what is wrong with it, and what each interface answers", async () => {
    await goTo(page, "connect");
    await page.getByRole("tab", { name: "JSON" }).click();
    await page.getByText('"supportedInterfaces"').waitFor();
    await page.getByRole("button", { name: "Call each" }).click();
    await page.getByText("Answers", { exact: true }).first().waitFor();
    await expect.poll(() => byId(page, "interface").count()).toBeGreaterThan(3);
    for (const item of await byId(page, "lint-item").all()) {
      expect(await item.getAttribute("data-rule")).not.toBe("");
    }
  });

  it("calls each interface of the card by keyboard alone", async () => {
    await page.locator(".main").focus();
    await press(page, "g", "c");
    const call = page.getByRole("button", { name: "Call each" });
    await tabTo(page, call);
    await press(page, "Enter");
    await page.getByText("Answers", { exact: true }).first().waitFor();
  });

  it("connects in the version and binding that are forced", async () => {
    await page.getByText("Version, binding, headers").click();
    await page.getByLabel("Version", { exact: true }).selectOption("0.3");
    await byId(page, "connect").click();
    await byId(page, "connection", { status: "connected", version: "0.3" }).waitFor();
    await page.getByLabel("Version", { exact: true }).selectOption("");
    await byId(page, "connect").click();
    await byId(page, "connection", { status: "connected", version: "1.0" }).waitFor();
  });

  it("calls a skill without code, and copies it as code", async () => {
    await goTo(page, "skills/echo");
    await byId(page, "example").first().click();
    await byId(page, "skill-send").click();
    await page.locator("article[data-role=agent]").last().waitFor();
    await byId(page, "hop").last().waitFor();
    for (const [name, expected] of [
      ["curl", "curl 'http"],
      ["parley", "parley send 'echo hello'"],
      ["TypeScript", 'from "@parley/a2a"'],
    ] as const) {
      await byId(page, "copy-as").click();
      await page.getByRole("menuitem", { name, exact: true }).click();
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toContain(expected);
    }
  });

  it("calls a skill and copies it as code by keyboard alone", async () => {
    await page.evaluate(() => navigator.clipboard.writeText(""));
    await goTo(page, "skills/echo");
    await tabTo(page, byId(page, "example").first());
    await press(page, "Enter");
    const before = await byId(page, "hop").count();
    await tabTo(page, byId(page, "skill-send"));
    await press(page, "Enter");
    await expect.poll(() => byId(page, "hop").count()).toBeGreaterThan(before);
    await tabTo(page, byId(page, "copy-as"));
    await press(page, "Enter");
    await page.locator("[role=menuitem]:focus").waitFor();
    await press(page, "Enter");
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toContain("curl 'http");
  });

  it("shows a hop in every dialect, and strikes out what is lost", async () => {
    await page.getByRole("tab", { name: "0.1" }).click();
    const request = byId(page, "translation", { dialect: "0.1", lossy: "true" }).first();
    await request.waitFor();
    await expect
      .poll(() => request.locator("[data-lost]").first().innerText())
      .toContain("messageId");
    await expect.poll(() => request.innerText()).toContain("0.1 does not name messages.");
    await byId(page, "wire-wide").click();
    await expect.poll(() => byId(page, "translation").count()).toBeGreaterThanOrEqual(5);
    await byId(page, "wire-wide").click();
  });

  it("edits a request and sends it again", async () => {
    const before = await byId(page, "hop").count();
    await byId(page, "edit").click();
    const body = byId(page, "edit-body");
    await body.fill((await body.inputValue()).replace("echo hello", "echo edited"));
    await byId(page, "resend").click();
    await expect.poll(() => byId(page, "hop").count()).toBeGreaterThan(before);
    await page.locator(".wire").getByText("edited").first().waitFor();
  });

  it("sends files that are dropped and pasted", async () => {
    await goTo(page, "chat");
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer();
      data.items.add(new File(["dropped here"], "note.txt", { type: "text/plain" }));
      return data;
    });
    await page.dispatchEvent(".composer", "drop", { dataTransfer: dropped });
    const files = page.locator(".composer-area .chip");
    await expect
      .poll(() => files.allInnerTexts())
      .toEqual([expect.stringMatching(/^note\.txt\s12 B/)]);
    await page.evaluate(async () => {
      const canvas = document.createElement("canvas");
      canvas.width = canvas.height = 1;
      const image = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
      if (image !== null)
        await navigator.clipboard.write([new ClipboardItem({ "image/png": image })]);
    });
    await byId(page, "composer").focus();
    await press(page, "Control+v");
    await expect.poll(() => files.count()).toBe(2);
    const before = await byId(page, "hop").count();
    await say(page, "task files");
    await expect.poll(() => byId(page, "hop").count()).toBeGreaterThan(before);
    await byId(page, "task", { state: "TASK_STATE_COMPLETED" }).waitFor();
    expect(await files.count()).toBe(0);
    const wire = page.locator(".wire");
    await expect.poll(() => wire.textContent()).toContain("note.txt");
    // As base64, with the type and the name of each.
    await expect
      .poll(() => wire.textContent())
      .toContain(Buffer.from("dropped here").toString("base64"));
    await expect.poll(() => wire.textContent()).toContain("image/png");
  });

  it("opens a link that holds a recording, and asks nothing of a backend", async () => {
    await goTo(page, "chat");
    await say(page, "task shared");
    await byId(page, "task", { state: "TASK_STATE_COMPLETED" }).waitFor();
    const taskId = await byId(page, "task").getAttribute("data-task-id");
    await byId(page, "copy-as").click();
    await page.getByRole("menuitem", { name: "Link to this task" }).click();
    const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(copied).toContain("#share=");
    const link = await copied();
    expect(link.length).toBeLessThan(9000);
    const other = await browser.newPage();
    const asked: string[] = [];
    other.page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await other.page.goto(link);
    await byId(other.page, "task", { "task-id": taskId ?? "" }).waitFor();
    await expect.poll(() => other.page.locator(".artifact-text").textContent()).toContain("shared");
    await expect
      .poll(() => byId(other.page, "task").getAttribute("data-state"))
      .toBe("TASK_STATE_COMPLETED");
    expect(asked.filter((path) => path.startsWith("/api"))).toEqual([]);
    expect(other.complaints).toEqual([]);
    await other.page.getByRole("link", { name: "Tasks" }).first().click();
    await other.page.locator(`.main a[href*="${taskId}"]`).first().waitFor();
    await other.context.close();
  });

  it("says so where a link holds no recording", async () => {
    const other = await browser.newPage();
    await other.page.goto(`${inspector.url}#share=bm90LWEtcmVjb3JkaW5n`);
    await other.page.getByRole("alert").waitFor();
    await other.context.close();
  });

  it("does a conversation by keyboard alone", async () => {
    await page.locator("body").press("g");
    await press(page, "h", "/");
    await page.keyboard.type("flight");
    await press(page, "Control+Enter");
    await byId(page, "question").first().waitFor();
    await page.keyboard.type("Oslo");
    await press(page, "Control+Enter");
    await byId(page, "question").nth(1).waitFor();
    await page.keyboard.type("today");
    await press(page, "Control+Enter");
    await byId(page, "task", { state: "TASK_STATE_COMPLETED" }).waitFor();
  });

  it("opens help with a key, and lets single keys be switched off", async () => {
    await page.locator(".main").focus();
    await press(page, "?");
    const dialog = page.getByRole("dialog", { name: "Help" });
    await dialog.waitFor();
    await dialog.getByRole("checkbox").uncheck();
    await press(page, "Escape");
    await dialog.waitFor({ state: "detached" });
    await page.locator(".main").focus();
    await press(page, "g", "c");
    expect(page.url()).toContain("#/chat");
    await page.getByRole("button", { name: "Help" }).click();
    await dialog.getByRole("checkbox").check();
    await dialog.getByRole("button", { name: "Close" }).click();
  });

  it("runs without a complaint of the browser", () => {
    expect(complaints).toEqual([]);
  });
});
