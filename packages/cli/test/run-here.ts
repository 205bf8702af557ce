import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "../src/run-cli.js";

/** What a command line has written, and its exit code. */
export interface RanHere {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

// Options of whoever runs the tests do not count. Each file of tests has a process of its own.
process.env["XDG_CONFIG_HOME"] = mkdtempSync(join(tmpdir(), "parley-here-"));
for (const name of Object.keys(process.env)) {
  if (name.startsWith("A2ACLI_")) delete process.env[name];
}

/**
 * Runs a command line within this process: a process for each costs most of a second. For what needs a process, which is
 * standard input, a working folder, an environment or a terminal, see `client/parley.ts`.
 */
export async function runHere(...args: readonly string[]): Promise<RanHere> {
  let stdout = "";
  let stderr = "";
  const code = await runCli(args, {
    stdout: { write: (text: string) => (stdout += text) },
    stderr: { write: (text: string) => (stderr += text) },
  });
  return { code, stdout, stderr };
}
