import { existsSync } from "node:fs";
import process from "node:process";

export interface Chromium {
  readonly executablePath: string;
  readonly isThere: boolean;
  /** What the tests that need it are called; where there is none, the reason why they are skipped. */
  readonly name: string;
}

/** Chromium of the system. Without it tests are skipped at a desk, and fail in continuous integration. */
export function findChromium(): Chromium {
  const executablePath = process.env["CHROMIUM_PATH"] ?? "/usr/bin/chromium";
  const isThere = existsSync(executablePath);
  if (isThere) return { executablePath, isThere, name: "in Chromium" };
  const missing = `there is no ${executablePath}; install Chromium, or say where it is in CHROMIUM_PATH`;
  if (process.env["CI"]) throw new Error(missing);
  process.stderr.write(`The client was not tried in a browser: ${missing}.\n`);
  return {
    executablePath,
    isThere,
    name: `in Chromium, which is not at ${executablePath}, so that this was not run`,
  };
}
