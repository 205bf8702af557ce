import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";
import { rolldown } from "rolldown";
import { describe, expect, it } from "vitest";
import { openSecuredAgent } from "../support/servers/open-secured-agent.js";
import { clients } from "../support/auth/identity-provider/clients.js";
import { openIdentityProvider } from "../support/auth/identity-provider/open-identity-provider.js";
import { findChromium } from "./find-chromium.js";

const { executablePath, isThere, name } = findChromium();
/** What a busy machine may need to start a browser, or to show a page. */
const timeout = 120_000;

/** Serves a page, the same at every address, that calls an agent and shows what it says. */
async function openPages(): Promise<
  AsyncDisposable & { readonly origin: string; agentUrl: string }
> {
  await using build = await rolldown({
    input: fileURLToPath(new URL("./sign-in-page.ts", import.meta.url)),
    platform: "browser",
    logLevel: "silent",
  });
  const { output } = await build.generate({ format: "esm", codeSplitting: false });
  const server = createServer(({ url = "" }, response) => {
    if (url === "/page.js") {
      response.setHeader("Content-Type", "text/javascript").end(output[0].code);
      return;
    }
    const { client_id: clientId } = clients.application;
    response.setHeader("Content-Type", "text/html").end(`<!doctype html><p>…</p>
      <script type="module">
        import { callAgent } from "/page.js";
        const show = (text) => (document.querySelector("p").textContent = String(text));
        callAgent("${pages.agentUrl}", "${clientId}").then(show, show);
      </script>`);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const pages = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    agentUrl: "",
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return pages;
}

describe.skipIf(!isThere)(name, () => {
  it("a page leaves to sign in, comes back and calls the agent", async () => {
    await using provider = await openIdentityProvider();
    await using pages = await openPages();
    const cors = { cors: { origins: [pages.origin] } };
    await using agent = await openSecuredAgent(provider, undefined, cors);
    pages.agentUrl = agent.url;
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout });
    try {
      const page = await browser.newPage();
      page.setDefaultTimeout(timeout);
      await page.goto(pages.origin);
      const answer = page.locator("p", { hasText: /\w/ });
      await answer.waitFor();
      expect(await answer.textContent()).toBe("hello ada");
      // The code is gone from the address, and what the sign-in was begun with from the storage.
      expect(page.url()).toBe(`${pages.origin}/callback`);
      expect(await page.evaluate("sessionStorage.length")).toBe(0);
      expect(provider.requests.filter((one) => one === "POST /token")).toHaveLength(1);
    } finally {
      await browser.close();
    }
  });
});
