import { parseWait } from "../options/parse-wait.js";

/** The end of the time that a command may take. */
export interface Deadline extends Disposable {
  readonly signal: AbortSignal;
}

/** Starts the time of `--timeout`; without it there is no end. */
export function startDeadline(timeout: string | undefined, hint: string): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  if (timeout === undefined) return { signal, [Symbol.dispose]: () => undefined };
  const ms = parseWait("--timeout", timeout, hint);
  const timer = setTimeout(() => controller.abort(new Error(`${timeout} are over`)), ms);
  return { signal, [Symbol.dispose]: () => clearTimeout(timer) };
}
