import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Page } from "playwright-core";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { createInspector } from "@parley/inspector";
import type { OpenInspector } from "@parley/inspector";
import type { Delivery, Receiver } from "@parley/inspector/contract";
import { demoAgent } from "../../../cli/src/demo-agent.js";
import { byId, enter, goTo, press, say, tabTo } from "../support/browser/drive.js";
import { runTestFile } from "./run-test-file.js";
import { sendText } from "../support/call-agent.js";
import { letIn } from "../support/inspector-client.js";
import { browserHere, openBrowser } from "../support/browser/open-browser.js";
import type { TestBrowser } from "../support/browser/open-browser.js";

const agentName = "Parley demo";
const minute = 60_000;

/** Beside the demo agent, over a store with a node that never was. */
describe.runIf(browserHere.isThere)(
  `the jobs of authors, operators and support, ${browserHere.name}`,
  () => {
    const store = createMemoryStore();
    let server: Server;
    let inspector: OpenInspector;
    let browser: TestBrowser;
    let page: Page;
    let complaints: string[];

    beforeAll(async () => {
      const created = createInspector({ port: 0, stuck: { silentMs: -1 } });
      server = await serve(demoAgent, {
        port: 0,
        store,
        push: { allowPrivate: true },
        log: { level: "error" },
        inspector: {
          watch: (handle) => created.watch(handle),
          async open(inspected) {
            inspector = await created.open(inspected);
            return inspector;
          },
        },
      });
      // A node of this name never lived: its lease is for the operator to end.
      await store.renewNode("lost-node", 10 * minute, {
        agent: agentName,
        revision: "1",
        version: "1",
      });
      browser = await openBrowser();
      ({ page, complaints } = await browser.newPage());
      await enter(page, inspector.newLink());
    });

    afterAll(async () => {
      expect(complaints).toStrictEqual([]);
      await browser[Symbol.asyncDispose]();
      await server.close();
    });

    /** Talks to the agent in the chat, and goes to the task that this made. */
    async function talk(text: string, state: string): Promise<string> {
      await goTo(page, "chat");
      await say(page, text);
      const task = byId(page, "task", { state }).last();
      await task.waitFor();
      return (await task.getAttribute("data-task-id")) ?? "";
    }

    it("an author sees every event, step and question in order", async () => {
      const taskId = await talk("stream 30 1", "TASK_STATE_COMPLETED");
      await goTo(page, `tasks/${taskId}`);
      await byId(page, "event-row", { kind: "created" }).waitFor();
      await byId(page, "event-row", { kind: "run" }).first().waitFor();
      const chunks = page.locator("[data-testid=event-row][data-chunks]");
      await chunks.waitFor();
      const sequences = await page
        .getByTestId("event-row")
        .evaluateAll((rows) => rows.map((row) => Number((row as HTMLElement).dataset["seq"])));
      expect(sequences).toStrictEqual([...sequences].sort((one, other) => one - other));
      await expect.poll(() => page.locator(".artifact-text").textContent()).toContain("chunk 30");
    });

    it("an operator lists the tasks of the store, the latest or the oldest first", async () => {
      const first = await talk("task one", "TASK_STATE_COMPLETED");
      await goTo(page, "chat/new");
      const second = await talk("task two", "TASK_STATE_COMPLETED");
      const listed = (): Promise<(string | undefined)[]> =>
        page
          .locator(`.main [data-task-id="${first}"], .main [data-task-id="${second}"]`)
          .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset["taskId"]));
      await goTo(page, "tasks");
      await expect.poll(listed).toStrictEqual([second, first]);
      await goTo(page, "tasks?order=oldest");
      await expect.poll(listed).toStrictEqual([first, second]);
    });

    it("support gets from a task id to what happened, and a link leads another there", async () => {
      const taskId = await talk("task write a haiku", "TASK_STATE_COMPLETED");
      await goTo(page, `tasks/${taskId}?seq=1`);
      await expect
        .poll(() => page.getByTestId("state-at").getAttribute("data-state"))
        .toBe("TASK_STATE_SUBMITTED");
      // By keys alone: to the next change of state, a mark, to the end, and the link.
      await page.getByTestId("scrubber").focus();
      await press(page, "Shift+ArrowRight");
      await page.getByRole("listbox", { name: "Entries of the log" }).focus();
      await press(page, "a", "End");
      await byId(page, "diff").waitFor();
      await expect.poll(() => byId(page, "diff").textContent()).toContain("write a haiku");
      await press(page, "y");
      await expect
        .poll(() => page.evaluate(() => navigator.clipboard.readText()))
        .toContain(taskId);
      await expect.poll(() => new URL(page.url()).hash).toContain("vs=");
    });

    it("an author turns a task into a test file, and into a recording that opens again", async () => {
      const taskId = await talk("task hello", "TASK_STATE_COMPLETED");
      await goTo(page, `tasks/${taskId}`);
      const save = async (name: string): Promise<string> => {
        await byId(page, "save").click();
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("menuitem", { name }).click(),
        ]);
        return readFile(await download.path(), "utf8");
      };
      const test = await save("As a vitest test");
      expect(test).toContain('"task hello"');
      expect(test).toContain('toBe("TASK_STATE_COMPLETED")');
      expect(test).toContain(server.url);
      expect(await runTestFile(test)).toContain("1 passed");
      expect(await runTestFile(test.replace("COMPLETED", "FAILED"))).toContain("1 failed");
      const recording = await save("As a file");
      const other = await browser.newPage();
      await other.page.goto(`${inspector.url}#/file`);
      await other.page.getByTestId("recording").setInputFiles({
        name: "a.parley.jsonl",
        mimeType: "text/plain",
        buffer: Buffer.from(recording),
      });
      await byId(other.page, "task", { "task-id": taskId }).waitFor();
      await expect
        .poll(() => other.page.locator(".artifact-text").textContent())
        .toContain("hello");
      await other.context.close();
    });

    it("an author turns a task into a test file by keyboard alone", async () => {
      await page.locator(".main").focus();
      await press(page, "g", "h");
      await byId(page, "composer").waitFor();
      await press(page, "/");
      await page.keyboard.type("task by keys");
      await press(page, "Control+Enter");
      const task = byId(page, "task", { state: "TASK_STATE_COMPLETED" }).last();
      await task.waitFor();
      const taskId = (await task.getAttribute("data-task-id")) ?? "";
      await tabTo(page, page.getByRole("link", { name: "Tasks" }).first());
      await press(page, "Enter");
      await tabTo(page, page.locator(`.main a[href*="${taskId}"]`).first());
      await press(page, "Enter");
      await byId(page, "scrubber").waitFor({ state: "attached" });
      await tabTo(page, byId(page, "save"));
      await press(page, "Enter");
      await page.locator("[role=menuitem]:focus").waitFor();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        press(page, "ArrowDown", "Enter"),
      ]);
      expect(download.suggestedFilename()).toMatch(/\.test\.ts$/);
      expect(await readFile(await download.path(), "utf8")).toContain('"task by keys"');
    });

    it("an integrator receives webhooks and sees their signatures checked, by keyboard alone", async () => {
      await page.locator(".main").focus();
      await press(page, "g", "p");
      await byId(page, "receiver-url").waitFor();
      await tabTo(page, page.getByRole("button", { name: "Copy", exact: true }));
      await press(page, "Enter");
      const url = await byId(page, "receiver-url").textContent();
      await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(url);
      await tabTo(page, page.getByLabel("Token that deliveries must carry"));
      await page.keyboard.type("a token of mine");
      await press(page, "Enter");
      const ask = async (text: string): Promise<void> => {
        await tabTo(page, page.getByRole("link", { name: "Chat" }).first());
        await press(page, "Enter");
        await tabTo(page, page.getByRole("button", { name: "Options" }));
        await press(page, "Enter");
        await tabTo(page, page.getByLabel("Notify the receiver"));
        await press(page, "Space");
        await tabTo(page, byId(page, "composer"));
        await page.keyboard.type(text);
        await press(page, "Control+Enter");
        await tabTo(page, page.getByRole("link", { name: "Push" }).first());
        await press(page, "Enter");
      };
      await ask("task tell me");
      const delivery = byId(page, "delivery", { verified: "true" }).first();
      await tabTo(page, delivery.getByRole("button", { name: "More" }));
      await press(page, "Enter");
      const lines = delivery.locator(".check-line");
      await expect
        .poll(() =>
          lines.evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset["status"])),
        )
        .toStrictEqual(Array.from({ length: 7 }, () => "passed"));
      await expect
        .poll(() => delivery.textContent())
        .toContain("it is the one that was registered");
      // A receiver that is gone: the next notification is given up, and says so.
      const answers = page.getByLabel("Answers on purpose");
      await tabTo(page, answers);
      await press(page, "4");
      await expect.poll(() => answers.inputValue()).toBe("410");
      await ask("task tell me again");
      await page.getByText("answered 410").first().waitFor();
      // What was given up here is no concern of the tests that follow.
      await tabTo(page, answers);
      await press(page, "2");
      await expect.poll(() => answers.inputValue()).toBe("200");
      await server.push().redeliverAll();
      await expect.poll(async () => (await store.countDeliveries(agentName)).waiting).toBe(0);
    });

    it("an author starts a task again, as a new one", async () => {
      const taskId = await talk("task once more", "TASK_STATE_COMPLETED");
      await goTo(page, `tasks/${taskId}`);
      await byId(page, "restart").click();
      await byId(page, "restart-send").click();
      const again = page.locator(
        `[data-testid=task][data-task-id]:not([data-task-id="${taskId}"])`,
      );
      await again.waitFor();
      await expect.poll(() => page.locator(".artifact-text").textContent()).toContain("once more");
    });

    it("an author compares two versions of one agent with one message", async () => {
      await goTo(page, "compare");
      await byId(page, "compare-message").fill("task compare me");
      await byId(page, "compare-send").click();
      await byId(page, "aligned").waitFor();
      await expect.poll(() => byId(page, "aligned").textContent()).toContain("Completed");
      await expect.poll(() => page.getByText("Both tasks ended the same.").count()).toBe(1);
    });

    it("an operator finds what is stuck and why, and ends the lease of a dead node", async () => {
      const taskId = await talk("stream 500 1000", "TASK_STATE_WORKING");
      await goTo(page, "operate");
      const node = page.locator("[data-testid=node][data-node=lost-node]");
      await expect.poll(() => node.getAttribute("data-lease")).toBe("live");
      const release = node.getByTestId("release");
      await release.focus();
      await press(page, "Enter", "Enter");
      await expect.poll(() => node.and(page.locator("[data-lease=live]")).count()).toBe(0);
      const stuck = byId(page, "stuck", { "task-id": taskId });
      await expect.poll(() => stuck.getAttribute("data-reason")).toBe("silent");
      await expect.poll(() => stuck.textContent()).toContain("silent");
      await stuck.getByRole("button", { name: "Cancel" }).focus();
      await press(page, "Enter", "Enter");
      await expect.poll(() => stuck.count()).toBe(0);
      await goTo(page, `tasks/${taskId}`);
      await byId(page, "task", { state: "TASK_STATE_CANCELED" }).waitFor();
    });

    it("an operator clears dead letters after an outage: one sent again, one discarded, and the rest", async () => {
      // The receiver of the inspector was out of order; now it is back.
      const receiver = await letIn(inspector);
      const { url } = await receiver.ask<Receiver>("receiver", { behaviour: 410, token: "" });
      const taskId = await sendText(server.url, "task tell everybody", { webhook: url });
      await expect.poll(async () => (await store.countDeliveries(agentName)).buried).toBe(4);
      await receiver.ask("receiver", { behaviour: 200 });
      await goTo(page, "operate");
      const letters = byId(page, "dead-letter");
      await expect.poll(() => letters.count()).toBe(4);
      await expect.poll(() => letters.first().textContent()).toContain("the receiver answered 410");
      await letters.first().getByTestId("redeliver").click();
      await expect.poll(() => letters.count()).toBe(3);
      await letters.first().getByTestId("discard").focus();
      await press(page, "Enter");
      await expect.poll(() => letters.count()).toBe(2);
      await byId(page, "redeliver-all").click();
      await expect.poll(() => letters.count()).toBe(0);
      // What was sent again has arrived; what was discarded has not.
      const arrived = async (): Promise<number> =>
        (await receiver.ask<{ deliveries: readonly Delivery[] }>("deliveries")).deliveries.filter(
          (one) => one.taskId === taskId && one.answered === 200,
        ).length;
      await expect.poll(arrived).toBe(3);
      expect(await store.countDeliveries(agentName)).toStrictEqual({ waiting: 0, buried: 0 });
    });
  },
);
