import { once } from "node:events";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Resolves when the process is asked to stop: by SIGINT or SIGTERM, or because what started it has ended. Begins to listen at once, so
 * call it before anybody is told that there is something to stop.
 */
export function waitForStop(): Promise<unknown> {
  const left = isWatched() ? [once(process, "disconnect")] : [];
  // Listening would keep this process from its end.
  process.channel?.unref();
  return Promise.race([once(process, "SIGINT"), once(process, "SIGTERM"), abandoned(), ...left]);
}

/** Who started this process. Read at once, because it may end. */
const parent = process.ppid;

/** The variable that `--watch` sets for the server that it starts. */
export const watchedVariable = "PARLEY_WATCHED";

/** Whether this process is the server of another one that watches files. */
export function isWatched(): boolean {
  return process.env[watchedVariable] !== undefined && process.connected;
}

/**
 * Resolves when `npm start` has started this process and has ended. npm passes a signal only to the shell
 * in which it runs a script, and that shell dies without passing the signal on.
 */
async function abandoned(): Promise<void> {
  const { npm_lifecycle_event: script } = process.env;
  if (script !== "start") return new Promise(() => undefined);
  while (process.ppid === parent) await sleep(250, undefined, { ref: false });
}
