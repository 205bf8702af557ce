import { execFile } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const script = fileURLToPath(new URL("./watch.mjs", import.meta.url));

it("a watcher that waits takes up few bytes beyond its connection, no promise, and only the timer of its heartbeat", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--expose-gc", script]);
  const { bytes, promises, timers } = JSON.parse(stdout) as Record<string, number>;
  expect(bytes).toBeLessThan(4096);
  expect(promises).toBeLessThan(0.1);
  expect(timers).toBeLessThan(1.1);
});
