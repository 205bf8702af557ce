import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import type { Peer } from "./peers.js";

/** Runs a program to its end. An error has what it printed last. */
export async function runTool(
  command: string,
  args: readonly string[],
  { cwd, env = {}, timeoutMs }: { cwd?: string; env?: Record<string, string>; timeoutMs: number },
): Promise<void> {
  // A group of its own, so that the time limit ends what the program has started, too.
  const options = { cwd, env: { ...process.env, ...env }, detached: true } as const;
  const running = spawn(command, args, { ...options, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  running.stderr.setEncoding("utf8").on("data", (more: string) => (said += more));
  const limit = setTimeout(() => {
    if (running.pid !== undefined) process.kill(-running.pid, "SIGKILL");
  }, timeoutMs);
  try {
    const [code] = (await once(running, "close")) as [number | null];
    if (code !== 0) throw new Error(said.slice(-2000) || `ended with ${code ?? "a signal"}`);
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`${command} ${args.join(" ")}: ${message}`, { cause: error });
  } finally {
    clearTimeout(limit);
  }
}

const trials: Readonly<Record<Peer["tool"], readonly (readonly string[])[]>> = {
  python3: [
    ["-c", "import sys, venv; assert sys.version_info >= (3, 10), sys.version"],
    ["-m", "pip", "--version"],
  ],
  go: [["version"]],
};

/** Why a tool cannot be used here; `undefined` if it can. */
export async function whyMissing(tool: Peer["tool"]): Promise<string | undefined> {
  try {
    for (const args of trials[tool]) await runTool(tool, args, { timeoutMs: 30_000 });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
