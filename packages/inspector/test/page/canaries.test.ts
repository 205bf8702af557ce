import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { agent } from "@parley/a2a";
import { apiKey, createAuthenticator, httpBearer, invalid, known } from "@parley/a2a/auth";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import type { Connection, HopPage } from "@parley/inspector/contract";
import type { Page } from "playwright-core";
import { unpackShare } from "../../src/model/copy/share-link.js";
import { byId, enter, goTo } from "../support/browser/drive.js";
import { browserHere, openBrowser } from "../support/browser/open-browser.js";
import type { TestBrowser } from "../support/browser/open-browser.js";
import { besideServer, letIn, openTestPage } from "../support/inspector-client.js";
import type { TestPage } from "../support/inspector-client.js";

/** Each is really sent, and none may be seen anywhere. */
const canaries = {
  bearer: "canary-bearer-8f1d",
  header: "canary-header-77aa",
  query: "canary-query-19fe",
  cookie: "canary-cookie-5c0e",
  pushToken: "canary-push-token-c0de",
  pushCredentials: "canary-push-credentials-beef",
  clientSecret: "canary-client-secret-4242",
  refreshToken: "canary-refresh-token-2323",
};

const verify = async (key: string): Promise<ReturnType<typeof known>> =>
  Object.values(canaries).includes(key) ? known({ subject: "ada" }) : invalid("another key");

describe.skipIf(!browserHere.isThere)(`secrets that were really sent, ${browserHere.name}`, () => {
  const logged: string[] = [];
  let server: Server;
  let mounted: TestPage;
  let remote: TestPage;
  let browser: TestBrowser;
  let taskId = "";

  beforeAll(async () => {
    const tell = (...said: readonly unknown[]): void =>
      void logged.push(said.map(String).join(" "));
    vi.spyOn(console, "error").mockImplementation(tell);
    vi.spyOn(console, "log").mockImplementation(tell);
    const beside = besideServer({ report: tell });
    const echo = agent({
      name: "Echo",
      description: "Says what it hears",
      capabilities: { pushNotifications: true },
      async *run({ text }) {
        yield text;
      },
    });
    server = await serve(echo, {
      port: 0,
      store: "memory:",
      push: { allowPrivate: true },
      log: { level: "debug", write: tell },
      report: tell,
      auth: createAuthenticator({
        schemes: {
          bearer: httpBearer({ verify }),
          // Names that say nothing of secrets: only the card does.
          team: apiKey({ in: "header", name: "X-Team", keys: verify }),
          desk: apiKey({ in: "query", name: "desk", keys: verify }),
          seat: apiKey({ in: "cookie", name: "seat", keys: verify }),
        },
      }),
      inspector: beside.inspector,
    });
    mounted = await letIn(beside.opened());
    remote = await openTestPage({ report: tell });
    browser = await openBrowser();
    await callTheServer();
    await callThroughConnections();
  });

  afterAll(async () => {
    vi.restoreAllMocks();
    await browser[Symbol.asyncDispose]();
    await remote[Symbol.asyncDispose]();
    await mounted[Symbol.asyncDispose]();
    await server.close();
  });

  /** Callers of the server, which the inspector beside it sees. */
  async function callTheServer(): Promise<void> {
    const { url: webhook } = await mounted.ask<{ url: string }>("receiver", {
      token: canaries.pushToken,
    });
    const send = async (headers: Record<string, string>, query = ""): Promise<Response> => {
      const message = {
        messageId: crypto.randomUUID(),
        role: "ROLE_USER",
        parts: [{ text: "hi" }],
      };
      const taskPushNotificationConfig = {
        url: webhook,
        token: canaries.pushToken,
        authentication: { scheme: "Bearer", credentials: canaries.pushCredentials },
      };
      const response = await fetch(`${server.url}/${query}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", "A2A-Version": "1.0", ...headers },
        body: JSON.stringify({
          jsonrpc: "2.0",
          id: 1,
          method: "SendStreamingMessage",
          params: { message, configuration: { taskPushNotificationConfig } },
        }),
      });
      const text = await response.text();
      taskId = /"taskId":"([^"]+)"/.exec(text)?.[1] ?? taskId;
      expect(text).toContain("TASK_STATE_COMPLETED");
      return response;
    };
    await send({ Authorization: `Bearer ${canaries.bearer}` });
    await send({ "X-Team": canaries.header });
    await send({}, `?desk=${canaries.query}`);
    await send({ Cookie: `seat=${canaries.cookie}` });
    // What an OAuth client sends to a token endpoint, gone astray.
    await fetch(server.url, { method: "POST", headers: formType, body: form });
    await vi.waitUntil(async () => {
      const { deliveries } = await mounted.ask<{ deliveries: readonly unknown[] }>("deliveries");
      return deliveries.length >= 8;
    });
  }

  const formType = { "Content-Type": "application/x-www-form-urlencoded" };
  const form = `grant_type=client_credentials&client_secret=${canaries.clientSecret}&refresh_token=${canaries.refreshToken}`;

  /** The same through connections of an inspector elsewhere. */
  async function callThroughConnections(): Promise<void> {
    const { url: webhook } = await remote.ask<{ url: string }>("receiver", {
      token: canaries.pushToken,
    });
    for (const [scheme, value] of [
      ["bearer", canaries.bearer],
      ["team", canaries.header],
      ["desk", canaries.query],
    ] as const) {
      const { id } = await remote.connect(server.url, {
        secrets: { [scheme]: { value } },
        headers: { Cookie: `seat=${canaries.cookie}` },
      });
      const message = {
        messageId: crypto.randomUUID(),
        role: "ROLE_USER",
        parts: [{ text: "hi" }],
      };
      const taskPushNotificationConfig = {
        url: webhook,
        token: canaries.pushToken,
        authentication: { scheme: "Bearer", credentials: canaries.pushCredentials },
      };
      const answer = await remote.ask(`connections/${id}/call`, {
        operation: "sendMessage",
        request: { message, configuration: { taskPushNotificationConfig } },
      });
      expect(JSON.stringify(answer)).toContain("TASK_STATE_COMPLETED");
      await remote.ask(`connections/${id}/raw`, {
        method: "POST",
        url: "/",
        headers: Object.entries(formType),
        body: form,
      });
      await remote.stream(id, "streamed");
    }
  }

  /** Where a canary is, of those that were sent. */
  function expectNone(place: string, text: string): void {
    const found = Object.entries(canaries).flatMap(([name, value]) =>
      text.includes(value) || text.includes(encodeURIComponent(value)) ? [name] : [],
    );
    expect({ place, found }).toEqual({ place, found: [] });
  }

  async function expectNoneOnScreens(page: Page, name: string): Promise<void> {
    const { hops } = await (name === "mounted" ? mounted : remote).ask<HopPage>("hops");
    expect(hops.length).toBeGreaterThan(6);
    for (const route of [
      "connect",
      "chat",
      "push",
      ...(name === "mounted" ? ["tasks", `tasks/${taskId}`, "operate"] : []),
    ]) {
      await goTo(page, route);
      await page.locator(".main h2").first().waitFor();
      expectNone(`${name}, ${route}`, await page.content());
    }
    await goTo(page, "push");
    await byId(page, "delivery").first().waitFor();
    const closed = byId(page, "delivery").getByRole("button", { name: "More" });
    for (let left = await closed.count(); left > 0; left = await closed.count()) {
      await closed.first().click();
    }
    expectNone(`${name}, deliveries`, await page.content());
    // Hops of one kind and connection are drawn alike; the recording has all of them.
    const kinds = new Map(
      hops.map((hop) => [`${hop.connection} ${hop.operation ?? hop.url} ${hop.status}`, hop]),
    );
    for (const { id } of kinds.values()) {
      await goTo(page, `chat?hop=${id}`);
      await byId(page, "hop", { hop: String(id) })
        .and(page.locator("[aria-selected=true]"))
        .waitFor();
      await page.locator(".wire details").first().waitFor({ state: "attached" });
      expectNone(`${name}, hop ${id}`, await page.content());
    }
    const stored = await page.evaluate(() =>
      JSON.stringify([
        Object.entries(localStorage),
        Object.entries(sessionStorage),
        document.cookie,
        location.href,
      ]),
    );
    expectNone(`${name}, storage`, stored);
  }

  it.each(["mounted", "remote"] as const)(
    "are nowhere on the screens, in the storage, on the feed or in recordings: %s",
    async (name) => {
      const asked = name === "mounted" ? mounted : remote;
      const { page, context, complaints } = await browser.newPage();
      if (name === "mounted") await enter(page, mounted.inspector.newLink());
      else {
        await page.goto(remote.inspector.newLink());
        await byId(page, "backend", { status: "live" }).waitFor({ state: "attached" });
      }
      await expectNoneOnScreens(page, name);
      const recorded = await (await asked.request("recording")).text();
      expect(recorded).toContain("[redacted]");
      expectNone(`${name}, recording`, recorded);
      expectNone(`${name}, connections`, JSON.stringify(await asked.ask("connections")));
      expectNone(`${name}, deliveries`, JSON.stringify(await asked.ask("deliveries")));
      expect(asked.feed().length).toBeGreaterThan(10);
      expectNone(`${name}, feed`, JSON.stringify(asked.feed()));
      expectNone(`${name}, console`, complaints.join("\n"));
      if (name === "mounted") {
        expectNone("pushes", JSON.stringify(await asked.ask("pushes")));
        expectNone("log", JSON.stringify(await asked.ask(`tasks/${taskId}/log`)));
        await goTo(page, `tasks/${taskId}`);
        await byId(page, "save").click();
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          page.getByRole("menuitem", { name: "As a file" }).click(),
        ]);
        const saved = await readFile(await download.path(), "utf8");
        expect(saved).toContain(taskId);
        expectNone("saved file", saved);
      } else {
        await byId(page, "copy-as").click();
        await page.getByRole("menuitem", { name: "Link to this task" }).click();
        const copied = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
        await expect.poll(copied).toContain("#share=");
        const shared = await unpackShare((await copied()).split("#share=")[1] ?? "");
        expect(shared).toContain('"kind":"hop"');
        expectNone("share link", shared);
        for (const kind of ["curl", "parley", "TypeScript"]) {
          await byId(page, "copy-as").click();
          await page.getByRole("menuitem", { name: kind, exact: true }).click();
          await expect.poll(copied).not.toContain("#share=");
          expectNone(`copied as ${kind}`, await copied());
        }
        const { connections } = await asked.ask<{ connections: readonly Connection[] }>(
          "connections",
        );
        expect(connections.map(({ secrets }) => secrets)).toEqual([["bearer"], ["team"], ["desk"]]);
      }
      await context.close();
    },
  );

  it("are in no log", () => {
    expect(logged.length).toBeGreaterThan(1);
    expectNone("log", logged.join("\n"));
  });
});
