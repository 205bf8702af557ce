import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { findPromtool } from "../support/postgres/find-programs.js";

/** What promtool says of something, and whether it is content. */
export async function promtool(
  args: readonly string[],
  input = "",
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(findPromtool().path, [...args], { stdio: ["pipe", "pipe", "pipe"] });
  child.stdin.end(input);
  const [out, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => {
      child.once("error", reject);
      child.once("close", resolve);
    }),
  ]);
  return { code, said: out + errors };
}
