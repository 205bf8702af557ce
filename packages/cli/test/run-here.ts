import { runCli } from "../src/run-cli.js";

/** What a command line has written, and its exit code. */
export interface RanHere {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line within this process, which is quicker than a child. */
export async function runHere(...args: readonly string[]): Promise<RanHere> {
  let stdout = "";
  let stderr = "";
  const code = await runCli(args, {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
  });
  return { code, stdout, stderr };
}
