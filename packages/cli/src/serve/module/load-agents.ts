import { existsSync } from "node:fs";
import { register } from "node:module";
import { resolve } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { MessageChannel } from "node:worker_threads";
import { UsageError } from "../../usage-error.js";
import { chooseAgents } from "./choose-agents.js";
import type { Agents } from "./choose-agents.js";
import type { HookData } from "./module-hooks.js";

/**
 * Imports a module, JavaScript or TypeScript, and takes the agents that it exports. `onFile` is told the path of each file that is
 * loaded, except those of installed packages.
 */
export async function loadAgents(path: string, onFile?: (path: string) => void): Promise<Agents> {
  const file = resolve(path);
  if (!existsSync(file)) {
    throw new UsageError(`there is no module ${path}`, { hint: "parley help serve" });
  }
  onFile?.(file);
  const { port1: reports, port2: port } = new MessageChannel();
  reports.on("message", (loaded: string) => onFile?.(loaded)).unref();
  register<HookData>(new URL("module-hooks.js", import.meta.url), {
    data: { port },
    transferList: [port],
  });
  process.setSourceMapsEnabled(true);
  let exports: Readonly<Record<string, unknown>>;
  try {
    exports = (await import(pathToFileURL(file).href)) as typeof exports;
  } catch (cause) {
    throw new Error(`cannot load ${path}: ${describe(cause)}`, { cause });
  }
  return chooseAgents(exports, path);
}

/** An error with the first place in the author's code that it came from. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const places = (error.stack ?? "").matchAll(/^ +at .*?((?:file:|\/)[^()]+:\d+:\d+)\)?$/gm);
  const [place] = [...places].flatMap(([, one = ""]) => (isOurs(one) ? [] : [one]));
  return place === undefined ? error.message : `${error.message} (at ${place})`;
}

/** Whether a place is in this program, or in an installed package. */
function isOurs(place: string): boolean {
  return place.includes("/node_modules/") || place.includes(import.meta.dirname);
}
