import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Found {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/**
 * Expects that axe finds nothing on a page, light and dark; or in a part of it, where the rest was looked at before and is the
 * same. Themes differ in nothing but colours, so that dark the rule of contrast is asked alone.
 */
export async function expectAccessible(page: Page, where: string, part?: string): Promise<void> {
  // Evaluated, as the page's policy allows no foreign script.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  const light = await violations(page, { ...(part !== undefined && { part }) });
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await violations(page, {
    rules: ["color-contrast"],
    ...(part !== undefined && { part }),
  });
  await page.emulateMedia({ colorScheme: "light" });
  expect({ where, light, dark }).toStrictEqual({ where, light: [], dark: [] });
}

/** What axe finds, in a line each. */
function violations(
  page: Page,
  asked: { readonly rules?: readonly string[]; readonly part?: string },
): Promise<readonly string[]> {
  return page.evaluate(async ({ rules, part = "html" }) => {
    const { axe: tool } = globalThis as unknown as {
      axe: { run(part: string, options: object): Promise<Found> };
    };
    const { violations: all } = await tool.run(part, {
      ...(rules === undefined ? {} : { runOnly: rules }),
      resultTypes: ["violations"],
      // It would fetch the style sheets again for rules that are not asked.
      preload: false,
    });
    return all.flatMap(({ id, nodes }) =>
      nodes
        .slice(0, 3)
        .map(({ html, failureSummary = "" }) => `${id} ${html.slice(0, 160)} ${failureSummary}`),
    );
  }, asked);
}
