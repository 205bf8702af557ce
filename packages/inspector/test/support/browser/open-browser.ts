import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { chromium } from "playwright-core";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { findChromium } from "../../../../a2a/test/runtimes/find-chromium.js";

export interface PageOptions {
  readonly width?: number;
  readonly height?: number;
  readonly theme?: "light" | "dark";
}

/** A browser that all tests of a file share. */
export interface TestBrowser extends AsyncDisposable {
  /** A page in a profile of its own. What the page complains about is in `complaints`. */
  newPage(
    options?: PageOptions,
  ): Promise<{ page: Page; context: BrowserContext; complaints: string[] }>;
}

/** Where Chromium is, or why tests are skipped. */
export const browserHere: ReturnType<typeof findChromium> = findChromium();

/** Inter and JetBrains Mono where they are installed, so that pictures look alike everywhere. */
const fonts = `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>/usr/share/fonts</dir>${[
  ["system-ui", "Inter"],
  ["sans", "Inter"],
  ["sans-serif", "Inter"],
  ["ui-monospace", "JetBrains Mono"],
]
  .map(
    ([family, font]) =>
      `<match target="pattern"><test name="family"><string>${family}</string></test><edit name="family" mode="assign" binding="same"><string>${font}</string></edit></match>`,
  )
  .join("")}</fontconfig>`;

export async function openBrowser(): Promise<TestBrowser> {
  const folder = await mkdtemp(join(tmpdir(), "parley-inspector-"));
  await writeFile(join(folder, "fonts.conf"), fonts);
  const browser: Browser = await chromium.launch({
    executablePath: browserHere.executablePath,
    args: ["--font-render-hinting=none"],
    env: { ...stringsOf(process.env), FONTCONFIG_FILE: join(folder, "fonts.conf") },
  });
  return {
    async newPage({ width = 1280, height = 848, theme = "light" } = {}) {
      const context = await browser.newContext({
        viewport: { width, height },
        colorScheme: theme,
        reducedMotion: "reduce",
      });
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const page = await context.newPage();
      page.setDefaultTimeout(20_000);
      const complaints: string[] = [];
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      return { page, context, complaints };
    },
    async [Symbol.asyncDispose]() {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function stringsOf(environment: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    ),
  );
}
