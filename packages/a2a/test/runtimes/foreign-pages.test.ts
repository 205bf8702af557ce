import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agent } from "@parley/a2a/server";
import { call, say } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import type { ServerOptions } from "../support/servers/open-server.js";
import { findChromium } from "./find-chromium.js";

const { executablePath, isThere, name } = findChromium();
/** What a busy machine may need to start a browser, or to show a page. */
const timeout = 60_000;

const asking = agent({
  name: "Asking",
  description: "Waits for an answer",
  capabilities: { pushNotifications: true },
  async run({ ask }) {
    await ask("Which?");
    return "done";
  },
});

/** A site with an empty page. */
async function openSite(): Promise<AsyncDisposable & { readonly origin: string }> {
  const server = createServer((_, response) => {
    response.setHeader("Content-Type", "text/html").end("<!doctype html><title>Elsewhere</title>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function submit(url: string): string {
  return `const form = document.body.appendChild(document.createElement("form"));
    Object.assign(form, { method: "post", action: ${JSON.stringify(url)} });
    setTimeout(() => form.submit())`;
}

/** What a page can send without its browser asking first: with a script, and with a form. */
const attempts: readonly (readonly [string, (url: string) => string])[] = [
  [
    "a script without a body",
    (url) => `await fetch(${JSON.stringify(url)}, { method: "POST", mode: "no-cors" })`,
  ],
  ["a beacon", (url) => `navigator.sendBeacon(${JSON.stringify(url)}, "")`],
  ["a form", submit],
];

describe.skipIf(!isThere)(name, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout });
  });
  afterAll(async () => {
    await browser.close();
  });

  /** Has a page at an origin run a script, and waits until the server has answered its requests. */
  async function runAt(origin: string, script: string): Promise<number> {
    const page = await browser.newPage();
    page.setDefaultTimeout(timeout);
    try {
      await page.goto(origin);
      const answered = page.waitForResponse((response) => response.request().method() === "POST");
      const [response] = await Promise.all([
        answered,
        page.evaluate(`(async () => { ${script} })()`),
      ]);
      return response.status();
    } finally {
      await page.close();
    }
  }

  async function openWaiting(options: ServerOptions = {}) {
    const server = await openServer({ agent: asking, ...options });
    const { result } = await call(server.url, "SendMessage", say("go"));
    const { id } = result.task as { readonly id: string };
    const task = `${server.url}/tasks/${id}`;
    const stateOf = async (): Promise<string> =>
      (await call(server.url, "GetTask", { id })).result.status.state;
    return { server, task, stateOf, [Symbol.asyncDispose]: () => server.close() };
  }

  it.each(attempts)(
    "a page of another origin cannot change anything with %s",
    async (_, script) => {
      await using site = await openSite();
      await using waiting = await openWaiting();
      expect(await runAt(site.origin, script(`${waiting.task}:cancel`))).toBe(403);
      const hook = encodeURIComponent("https://receiver.example/hook");
      const register = `${waiting.task}/pushNotificationConfigs?url=${hook}`;
      expect(await runAt(site.origin, script(register))).toBe(403);
      expect(await waiting.stateOf()).toBe("TASK_STATE_INPUT_REQUIRED");
    },
  );

  it("a page that cors lists can, and so can one of the server itself", async () => {
    await using site = await openSite();
    const [, script] = attempts[0] ?? expect.fail();
    await using listed = await openWaiting({ cors: { origins: [site.origin] } });
    expect(await runAt(site.origin, script(`${listed.task}:cancel`))).toBe(200);
    expect(await listed.stateOf()).toBe("TASK_STATE_CANCELED");
    await using own = await openWaiting();
    // The page of an agent may send no form; an answer that is no page may.
    const form = submit(`${own.task}:cancel`);
    expect(await runAt(`${own.server.url}/healthz`, form)).toBe(200);
    expect(await own.stateOf()).toBe("TASK_STATE_CANCELED");
  });
});
