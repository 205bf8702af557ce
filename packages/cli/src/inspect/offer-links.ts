import process from "node:process";
import { createInterface } from "node:readline";
import type { CommandOutput } from "../command.js";

/** Prints a link into an inspector, and a new one for each Enter at a terminal. A link is good once. */
export function offerLinks(
  { stdout }: CommandOutput,
  { newLink }: { readonly newLink: () => string },
): Disposable {
  const show = (): void => void stdout.write(`Inspector: ${newLink()}\n`);
  show();
  if (!process.stdin.isTTY) return { [Symbol.dispose]: () => undefined };
  const lines = createInterface({ input: process.stdin });
  lines.on("line", show);
  return { [Symbol.dispose]: () => lines.close() };
}
