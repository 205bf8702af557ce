import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { chromium } from "playwright-core";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Story } from "./client-story.js";
import { findChromium } from "./find-chromium.js";
import { bundleStory, expectedStory, openStage } from "./open-stage.js";

const { executablePath, isThere, name } = findChromium();
/** What a busy machine may need to start a browser, or to show a page. */
const timeout = 120_000;

/** Serves the story's scripts, as a bundler splits them, and a page that has nothing else. */
async function openPages(): Promise<AsyncDisposable & { readonly origin: string }> {
  const chunks = await bundleStory({ format: "esm", minify: true, entryFileNames: "story.js" });
  expect(chunks.length).toBeGreaterThan(3);
  const worker = `import { tellStory } from "/story.js";
    onmessage = ({ data }) => tellStory(data).then(postMessage, (error) => postMessage(String(error)));`;
  const scripts = new Map(chunks.map(({ fileName, code }) => [`/${fileName}`, code]));
  scripts.set("/worker.js", worker);
  const server = createServer(({ url = "" }, response) => {
    const script = scripts.get(url);
    if (script === undefined) {
      response.setHeader("Content-Type", "text/html").end("<!doctype html><title>Story</title>");
    } else {
      response.setHeader("Content-Type", "text/javascript").end(script);
    }
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

describe.skipIf(!isThere)(name, () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ["--no-sandbox"], timeout });
  });
  afterAll(async () => {
    await browser.close();
  });

  /** Has a page tell the story, by a script of its own, of an agent that allows some origin. */
  async function tellWith(script: string, allowed?: string): Promise<Story> {
    await using pages = await openPages();
    await using stage = await openStage([allowed ?? pages.origin]);
    const page = await browser.newPage();
    page.setDefaultTimeout(timeout);
    await page.goto(pages.origin);
    try {
      const places = JSON.stringify(stage.places);
      return await page.evaluate<Story>(`(async (places) => { ${script} })(${places})`);
    } finally {
      await page.close();
    }
  }

  const onPage = 'return import("/story.js").then((it) => it.tellStory(places))';
  const inWorker = `
    const worker = new Worker("/worker.js", { type: "module" });
    worker.postMessage(places);
    return new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));`;

  it.each([
    ["a page", onPage],
    ["a worker", inWorker],
  ])(
    "%s calls an agent of another origin, streams over a bad line and cancels",
    async (_, script) => {
      const story = await tellWith(script);
      expect(story).toMatchObject(expectedStory);
      expect(story.reconnections).toBeGreaterThan(0);
    },
  );

  it("a page is told why it cannot call an agent that does not allow its origin", async () => {
    const told = tellWith(onPage, "https://other.example");
    await expect(told).rejects.toThrowError(/could not be reached.*CORS/);
  });
});
