/**
 * How fast the page is with a log of 100,000 entries, in a real browser. Run it on a quiet machine:
 *
 *     npm run build && npx tsx packages/inspector/bench/timeline.ts
 *
 * Frame times depend on what else the machine does; compare runs only with runs beside them.
 */
import { performance } from "node:perf_hooks";
import type { Page } from "playwright-core";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { createInspector } from "@parley/inspector";
import { LogIndex, Rows, defaultRowOptions } from "../src/model/index.js";
import { openBrowser } from "../test/support/browser/open-browser.js";
import { growLog, writeLog } from "../test/support/write-log.js";

const entries = 100_000;
const store = createMemoryStore();
await writeLog(store, "long", entries);
await writeLog(store, "live", 1000);
const log = await store.read("long", 0, entries, Number.MAX_SAFE_INTEGER);

await using inspector = await createInspector({ port: 0, store }).open();
await using browser = await openBrowser();

report("index of the log, in node", `${measureIndex()} ms`, "100 ms");

const { page } = await browser.newPage();
await page.goto(inspector.newLink());
await page.locator("[data-testid=backend][data-status=live]").waitFor({ state: "attached" });
const begin = performance.now();
await page.goto(`${inspector.url}#/tasks/long`);
await page.reload();
await page.locator("[data-testid=scrubber]").waitFor({ state: "attached" });
report("usable after", ms(performance.now() - begin), "2,000 ms");
await page.locator(`.list-row[data-seq="${entries}"]`).waitFor({ state: "attached" });
report("whole log read after", ms(performance.now() - begin), "");
await page.getByTestId("live").click();
for (const [name, step] of [
  ["scroll, 60 px a frame", 60],
  ["scroll, 1,500 px a frame", 1500],
  ["scroll, random jumps", 0],
] as const) {
  const { p95, worst, work } = await working(page, 300, () => scroll(page, step));
  report(`${name}: frame p95, worst`, `${p95} ms, ${worst} ms`, "17.5 ms p95");
  report(`${name}: work a frame`, work, "");
}
const { work: scrubWork, ...scrubbed } = await working(page, 200, () => scrub(page));
report("scrub, input to layout p95", `${scrubbed.p95} ms`, "8 ms");
report("scrub, work a move", scrubWork, "");
report("heap", `${await heap(page)} MB`, "250 MB");

await page.goto(`${inspector.url}#/tasks/live`);
await page.locator(".list-row[data-seq='1000']").waitFor({ state: "attached" });
const { p95, longTasks, work } = await working(page, 5000, () => follow(page));
report("1,000 live entries/s for 5 s: frame p95", `${p95} ms`, "17.5 ms");
report("work a live entry", work, "");
report("tasks over 50 ms while they come", String(longTasks), "0");

function report(name: string, value: string, goal: string): void {
  process.stdout.write(`${name.padEnd(48)}${value.padStart(18)}${goal.padStart(16)}\n`);
}

function ms(value: number): string {
  return `${Math.round(value).toLocaleString("en")} ms`;
}

/** Processor time, so that what else runs on the machine does not count. */
function measureIndex(): string {
  const spent = (work: () => void): number => {
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    return Math.round((user + system) / 1000);
  };
  let index = new LogIndex();
  const built = spent(() => (index = new LogIndex(log)));
  const rows = spent(() => new Rows(index, defaultRowOptions));
  return `${built}, its rows ${rows}`;
}

/** What the main thread of the page spends of processor time, by each of so many things: other processes do not count. */
async function working<T extends object>(
  at: Page,
  things: number,
  run: () => Promise<T>,
): Promise<T & { work: string }> {
  const session = await at.context().newCDPSession(at);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const read = async (): Promise<number> => {
    const { metrics } = await session.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  };
  const before = await read();
  const result = await run();
  const spent = (await read()) - before;
  await session.detach();
  return { ...result, work: `${((spent * 1000) / things).toFixed(2)} ms` };
}

/** Frame times of 300 scripted frames. */
async function scroll(at: Page, step: number): Promise<{ p95: string; worst: string }> {
  return at.evaluate(async (pixels) => {
    const list = document.querySelector(".list");
    if (list === null) throw new Error("there is no list");
    const frames: number[] = [];
    let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    for (let frame = 0; frame < 300; frame += 1) {
      if (pixels === 0) list.scrollTop = ((frame * 7919) % 1000) * 0.001 * list.scrollHeight;
      else list.scrollTop = frame * pixels;
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      frames.push(now - last);
      last = now;
    }
    frames.sort((one, other) => one - other);
    return { p95: (frames[284] ?? 0).toFixed(1), worst: (frames[299] ?? 0).toFixed(1) };
  }, step);
}

/** From the input of the slider to the finished layout. */
async function scrub(at: Page): Promise<{ p95: string }> {
  return at.evaluate(async () => {
    const input = document.querySelector<HTMLInputElement>("[data-testid=scrubber]");
    if (input === null) throw new Error("there is no scrubber");
    const times: number[] = [];
    for (let move = 0; move < 200; move += 1) {
      input.value = String(1 + ((move * 7919) % 100_000));
      const from = performance.now();
      input.dispatchEvent(new Event("input", { bubbles: true }));
      // The page draws in a microtask or a frame; the layout after it is what a person waits for.
      await new Promise((resolve) => setTimeout(resolve));
      void document.body.offsetHeight;
      times.push(performance.now() - from);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    times.sort((one, other) => one - other);
    return { p95: (times[189] ?? 0).toFixed(1) };
  });
}

async function heap(at: Page): Promise<number> {
  const session = await at.context().newCDPSession(at);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  return Math.round(usedSize / 1_000_000);
}

/** Frame times and long tasks of the page while a log grows by 1,000 entries a second. */
async function follow(at: Page): Promise<{ p95: string; longTasks: number }> {
  const measured = at.evaluate(async () => {
    let longTasks = 0;
    new PerformanceObserver((list) => {
      longTasks += list.getEntries().length;
    }).observe({ entryTypes: ["longtask"] });
    const frames: number[] = [];
    let last = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const until = last + 5000;
    while (last < until) {
      const now = await new Promise<number>((resolve) => requestAnimationFrame(resolve));
      frames.push(now - last);
      last = now;
    }
    frames.sort((one, other) => one - other);
    return { p95: (frames[Math.floor(frames.length * 0.95)] ?? 0).toFixed(1), longTasks };
  });
  const from = performance.now();
  let length = 1000;
  const timer = setInterval(() => {
    const by = 1000 + Math.floor(performance.now() - from) - length;
    void growLog(store, "live", { from: length, by });
    length += by;
  }, 10);
  const result = await measured;
  clearInterval(timer);
  return result;
}
