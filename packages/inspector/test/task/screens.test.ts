import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { createInspector } from "@parley/inspector";
import type { OpenInspector } from "@parley/inspector";
import { byId, enter, goTo } from "../support/browser/drive.js";
import { browserHere, openBrowser } from "../support/browser/open-browser.js";
import type { TestBrowser } from "../support/browser/open-browser.js";
import { expectAccessible } from "../support/browser/expect-accessible.js";
import { openOffice } from "../support/office/open-office.js";
import type { Office } from "../support/office/open-office.js";
import { sendText } from "../support/call-agent.js";
import { chunkCount } from "../support/office/travel-desk.js";
import { growLog, writeLog } from "../support/write-log.js";

describe.runIf(browserHere.isThere)(
  `the screens of tasks and operators, ${browserHere.name}`,
  () => {
    let office: Office;
    let browser: TestBrowser;
    let page: Page;

    beforeAll(async () => {
      [office, browser] = await Promise.all([openOffice(), openBrowser()]);
      ({ page } = await browser.newPage());
      await enter(page, office.inspector.newLink());
    });

    afterAll(async () => {
      await browser[Symbol.asyncDispose]();
      await office[Symbol.asyncDispose]();
    });

    /** Goes to a task, at its end unless the route says otherwise. */
    const openTask = async (route: string): Promise<void> => {
      await goTo(page, "tasks");
      await goTo(page, `tasks/${route}`);
      await byId(page, "scrubber").waitFor({ state: "attached" });
    };

    it.each([1280, 360])("are accessible at %i px, light and dark", async (width) => {
      const where = `${width} px`;
      await page.setViewportSize({ width, height: 848 });
      await openTask(`${office.story}?seq=904&vs=4`);
      for (const tab of ["State at 904", "Entry", "Diff", "Waterfall", "Tree"]) {
        await page.getByRole("tab", { name: tab }).click();
        // Tabs change the pane below them, and nothing else.
        const part = tab === "Diff" ? undefined : ".task-detail";
        await expectAccessible(page, `${tab}, ${where}`, part);
      }
      for (const [route, ready] of [
        ["tasks", "task"],
        ["operate", "stuck"],
        ["push", "delivery"],
        ["compare", "compare-send"],
        ["file", "recording"],
      ] as const) {
        await goTo(page, route);
        await byId(page, ready).first().waitFor({ state: "attached" });
        await expectAccessible(page, `${route}, ${where}`);
      }
      await page.setViewportSize({ width: 1280, height: 848 });
    });

    it("show the state at any entry, and what changed between two, by keys alone", async () => {
      await openTask(office.story);
      const scrubber = page.getByTestId("scrubber");
      await scrubber.focus();
      await page.keyboard.press("Home");
      const state = page.getByTestId("state-at");
      await expect.poll(() => state.getAttribute("data-state")).toBe("TASK_STATE_SUBMITTED");
      await page.keyboard.press("Shift+ArrowRight");
      await expect.poll(() => scrubber.inputValue()).toBe("4");
      await expect.poll(() => state.getAttribute("data-state")).toBe("TASK_STATE_WORKING");
      await page.getByRole("listbox", { name: "Entries of the log" }).focus();
      await page.keyboard.press("a");
      const diff = page.getByTestId("diff");
      await diff.waitFor();
      await page.keyboard.press("Shift+ArrowRight");
      await expect.poll(() => diff.getAttribute("data-to")).toBe("10");
      await expect.poll(() => diff.getAttribute("data-from")).toBe("4");
      await expect.poll(() => diff.textContent()).toContain("hotels.csv");
      await expect.poll(() => diff.textContent()).toContain("Input required");
      await expect.poll(() => new URL(page.url()).hash).toContain("seq=10&vs=4");
      // The address is a link to the same moment.
      await page.reload();
      await expect.poll(() => scrubber.inputValue()).toBe("10");
      await expect.poll(() => diff.getAttribute("data-from")).toBe("4");
    });

    it("fold chunks into one row that opens in place, and hide what is private", async () => {
      await openTask(`${office.story}?seq=14`);
      const rows = page.getByTestId("event-row");
      const chunks = page.locator("[data-testid=event-row][data-chunks]");
      await expect.poll(() => chunks.getAttribute("data-chunks")).toBe(String(chunkCount));
      await expect.poll(() => chunks.textContent()).toContain("+1,242 chunks");
      await page.getByRole("listbox", { name: "Entries of the log" }).focus();
      await page.keyboard.press("Enter");
      await expect.poll(() => page.locator("[data-seq='15']").count()).toBe(1);
      await page.keyboard.press("Enter");
      await expect.poll(() => page.locator("[data-seq='15']").count()).toBe(0);
      await page.keyboard.press("Home");
      await expect.poll(() => rows.first().getAttribute("data-seq")).toBe("1");
      await expect.poll(() => page.locator("[data-kind=run]").count()).toBe(1);
      await page.getByLabel("Private").uncheck();
      await expect.poll(() => page.locator("[data-kind=run]").count()).toBe(0);
      await page.getByLabel("Private").check();
    });

    it("say why each task is stuck, from its log and the leases of nodes", async () => {
      await goTo(page, "operate");
      const { silent, noLease, crashLoop, asking } = office.tasks;
      for (const [taskId, reason] of [
        [silent, "silent"],
        [noLease, "no-lease"],
        [crashLoop, "crash-loop"],
      ] as const) {
        await byId(page, "stuck", { "task-id": taskId, reason }).waitFor();
      }
      await expect.poll(() => page.getByTestId("stuck").count()).toBe(3);
      const waiting = page.locator(`.main tr [href*="${asking}"]`);
      await expect.poll(() => waiting.count()).toBe(1);
      await expect.poll(() => byId(page, "node", { lease: "live" }).count()).toBe(1);
      // A node that stops leaves no lease behind.
      await expect.poll(() => byId(page, "node").count()).toBeGreaterThanOrEqual(1);
    });

    it("keep few rows in the document, however long the log is and wherever it is scrolled", async () => {
      await writeLog(office.store, "long", 100_000);
      await openTask("long");
      const list = page.getByRole("listbox", { name: "Entries of the log" });
      await expect.poll(() => page.getByTestId("scrubber").getAttribute("max")).toBe("100000");
      await expect.poll(() => list.locator("[data-seq='100000']").count()).toBe(1);
      for (const place of [0, 0.37, 0.5, 1]) {
        await list.evaluate((element, share) => {
          element.scrollTop = element.scrollHeight * share;
        }, place);
        await expect.poll(() => list.locator(".list-row").count()).toBeGreaterThan(8);
        expect(await list.locator(".list-row").count()).toBeLessThan(40);
      }
      // Going to an entry in the middle shows it, and the state there.
      await page.getByTestId("scrubber").fill("50000");
      await expect
        .poll(() => list.locator("[data-seq='50000'][aria-selected=true]").count())
        .toBe(1);
      await expect.poll(() => page.getByTestId("state-at").getAttribute("data-seq")).toBe("50000");
    });

    it("follow a log that grows to its end, and stay where a person has scrolled to", async () => {
      await writeLog(office.store, "live", 500);
      await openTask("live");
      const list = page.getByRole("listbox", { name: "Entries of the log" });
      await expect.poll(() => list.locator("[data-seq='500']").count()).toBe(1);
      await growLog(office.store, "live", { from: 500, by: 100 });
      await expect.poll(() => list.locator("[data-seq='600']").count(), patience).toBe(1);
      const distance = (): Promise<number> =>
        list.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
      await expect.poll(distance).toBeLessThan(2);
      await list.hover();
      await page.mouse.wheel(0, -4000);
      await expect.poll(() => page.getByTestId("live").textContent()).toContain("Paused");
      const top = await list.evaluate((element) => element.scrollTop);
      await growLog(office.store, "live", { from: 600, by: 100 });
      await expect
        .poll(() => page.getByTestId("scrubber").getAttribute("max"), patience)
        .toBe("700");
      expect(await list.evaluate((element) => element.scrollTop)).toBe(top);
      await page.getByTestId("live").click();
      await expect.poll(() => list.locator("[data-seq='700']").count()).toBe(1);
    });

    it("show a recording offline, without a request", async () => {
      const text = await (
        await office.page.request(`recording?task=${encodeURIComponent(office.story)}`)
      ).text();
      const { page: tab, context, complaints } = await browser.newPage();
      await tab.goto(`${office.inspector.url}#/file`);
      await tab.getByTestId("recording").waitFor({ state: "attached" });
      const requests: string[] = [];
      await tab.getByTestId("recording").setInputFiles({
        name: "a.parley.jsonl",
        mimeType: "text/plain",
        buffer: Buffer.from(text),
      });
      const { sequence = 0 } = (await office.store.loadRecord(office.story)) ?? {};
      await expect
        .poll(() => tab.getByTestId("scrubber").getAttribute("max"))
        .toBe(String(sequence));
      await context.setOffline(true);
      tab.on("request", (request) => {
        // Chromium itself asks for the icon of a page whenever its address changes.
        if (!request.url().endsWith(".svg")) requests.push(request.url());
      });
      await tab.getByTestId("scrubber").fill("10");
      await expect
        .poll(() => tab.getByTestId("state-at").getAttribute("data-state"))
        .toBe("TASK_STATE_INPUT_REQUIRED");
      await tab.getByRole("tab", { name: "Waterfall" }).click();
      await expect.poll(() => tab.locator(".span").count()).toBeGreaterThan(5);
      expect(requests).toStrictEqual([]);
      // What a recording cannot do is absent.
      expect(await tab.getByTestId("restart").count()).toBe(0);
      expect(await tab.getByTestId("cancel").count()).toBe(0);
      expect(await tab.getByRole("link", { name: "Operate" }).count()).toBe(0);
      expect(complaints.filter((one) => !one.includes("ERR_INTERNET_DISCONNECTED"))).toStrictEqual(
        [],
      );
      await context.close();
    });

    it("refuse a file that is no recording, and say why", async () => {
      await goTo(page, "file");
      await page
        .getByTestId("recording")
        .setInputFiles({ name: "a.jsonl", mimeType: "text/plain", buffer: Buffer.from("hello\n") });
      await expect
        .poll(() => page.getByRole("alert").textContent())
        .toContain("first line is not JSON");
    });

    it("show what goes wrong, and try again", async () => {
      await goTo(page, "tasks/unknown");
      await expect
        .poll(() => page.getByRole("alert").textContent())
        .toContain("no task unknown in the store");
      office.breakStore(true);
      await goTo(page, "operate");
      await expect.poll(() => page.getByRole("alert").count()).toBe(1);
      office.breakStore(false);
      await page.getByRole("button", { name: "Try again" }).click();
      await page.getByTestId("stuck").first().waitFor();
    });

    it("leave out what the backend cannot do", async () => {
      // A store alone has no server that could cancel, call or receive.
      const alone: OpenInspector = await createInspector({ port: 0, store: office.store }).open();
      const { page: tab, context } = await browser.newPage();
      await tab.goto(alone.newLink());
      await goTo(tab, "operate");
      await tab.getByTestId("dead-letter").first().waitFor();
      expect(await tab.getByTestId("redeliver").count()).toBeGreaterThan(0);
      const stuck = tab.getByTestId("stuck").first();
      await stuck.waitFor();
      expect(await stuck.getByRole("button", { name: "Cancel" }).count()).toBe(0);
      for (const name of ["Push", "Chat", "Compare"]) {
        expect([name, await tab.getByRole("link", { name, exact: true }).count()]).toEqual([
          name,
          0,
        ]);
      }
      await context.close();
      await alone.close();
    });

    it("show the attempts to send push notifications in the waterfall of their task", async () => {
      const dead = (await office.deliveries()).find(({ answered }) => answered === 410);
      await openTask(dead?.taskId ?? "");
      await page.getByRole("tab", { name: "Waterfall" }).click();
      const pushes = page.locator(".span[data-kind=push]");
      await expect.poll(() => pushes.count()).toBeGreaterThan(0);
      await expect.poll(() => pushes.first().getAttribute("data-failed")).toBe("");
      await expect.poll(() => pushes.first().textContent()).toContain("410");
      // A bar has a place of its own, although the log had ended before.
      const left = await pushes
        .locator(".span-bar")
        .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().left));
      expect(left).toStrictEqual([...left].sort((one, other) => one - other));
      expect(new Set(left).size).toBe(left.length);
      const { url } = await office.receiver();
      const taskId = await sendText(office.server.url, "notify me", { webhook: url });
      await openTask(taskId);
      await page.getByRole("tab", { name: "Waterfall" }).click();
      // This one is told on the feed, while the page looks.
      const arrived = page.locator(".span[data-kind=push]:not([data-failed])");
      await expect.poll(() => arrived.first().textContent()).toContain("arrived");
    });

    it("show deliveries with each step of their check, repeats, and how the receiver answers", async () => {
      const sent = (await office.deliveries()).findLast(({ isVerified }) => isVerified);
      const { url } = await office.receiver();
      await goTo(page, "push");
      const deliveries = page.getByTestId("delivery");
      await expect.poll(() => deliveries.first().getAttribute("data-verified")).toBe("true");
      await expect.poll(() => deliveries.first().getAttribute("data-order")).toBe("next");
      const before = await deliveries.count();
      // Somebody sends a notification of the agent again, with another body.
      const headers = Object.fromEntries(
        sent?.headers.filter(([name]) => name.startsWith("x-a2a") || name === "content-type") ?? [],
      );
      const body = sent?.body.replace("Nothing", "Everything");
      await fetch(url, { method: "POST", headers, ...(body !== undefined && { body }) });
      await expect.poll(() => deliveries.count()).toBe(before + 1);
      const forged = deliveries.first();
      await expect.poll(() => forged.getAttribute("data-verified")).toBe("false");
      await expect.poll(() => forged.getAttribute("data-order")).toBe("repeat");
      for (const line of ["the body is not the one that was signed", "has come before"]) {
        await expect.poll(() => forged.textContent()).toContain(line);
      }
      await page.getByLabel("Answers on purpose").selectOption("hang");
      await expect.poll(async () => (await office.receiver()).behaviour).toBe("hang");
      await office.receiver({ behaviour: 200 });
    });
  },
);

/** A store is looked at once a second. */
const patience = { timeout: 5000 };
