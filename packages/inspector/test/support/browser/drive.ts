import type { Locator, Page } from "playwright-core";

/** An element of the driver contract: `byId(page, "task", { state: "TASK_STATE_COMPLETED" })`. */
export function byId(page: Page, id: string, data: Readonly<Record<string, string>> = {}): Locator {
  const rest = Object.entries(data).map(([name, value]) => `[data-${name}="${value}"]`);
  return page.locator(`[data-testid="${id}"]${rest.join("")}`);
}

/** Opens the printed link, and waits until the agent is connected. */
export async function enter(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await byId(page, "connection", { status: "connected" }).waitFor();
}

/** Goes to a screen by its address. */
export async function goTo(page: Page, route: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/${route}`);
}

/** Sends a message in the chat. */
export async function say(page: Page, text: string): Promise<void> {
  await byId(page, "composer").fill(text);
  await byId(page, "send").click();
}

/** Presses keys, one after the other. */
export async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Presses Tab, or Shift+Tab where an element comes before, until it has the focus, as a person without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  const isBefore = await target.evaluate(
    (element) =>
      document.activeElement !== null &&
      document.activeElement !== document.body &&
      (document.activeElement.compareDocumentPosition(element) &
        Node.DOCUMENT_POSITION_PRECEDING) !==
        0,
  );
  for (let presses = 0; presses < 80; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(isBefore ? "Shift+Tab" : "Tab");
  }
  throw new Error(`Tab does not reach ${String(target)}`);
}
