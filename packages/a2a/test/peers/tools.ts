import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";
import type { Peer } from "./peers.js";

const execute = promisify(execFile);

/** Runs a program to its end. An error has what it printed last. */
export async function runTool(
  command: string,
  args: readonly string[],
  { cwd, env = {}, timeoutMs }: { cwd?: string; env?: Record<string, string>; timeoutMs: number },
): Promise<string> {
  try {
    const options = {
      cwd,
      env: { ...process.env, ...env },
      timeout: timeoutMs,
      maxBuffer: 2 ** 26,
    };
    return (await execute(command, [...args], options)).stdout;
  } catch (error) {
    const { stderr = "", message } = error as { stderr?: string; message: string };
    throw new Error(`${command} ${args.join(" ")}: ${stderr.slice(-2000) || message}`, {
      cause: error,
    });
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
