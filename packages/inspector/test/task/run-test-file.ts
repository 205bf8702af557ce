import { execFile } from "node:child_process";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const installed = fileURLToPath(new URL("../../../../node_modules", import.meta.url));

/** Runs a test file as somebody does who has saved it beside an installed `@parley/a2a`, and returns what vitest prints. */
export async function runTestFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parley-saved-"));
  try {
    await writeFile(join(folder, "package.json"), '{ "type": "module" }');
    await writeFile(join(folder, "saved.test.ts"), text);
    await symlink(installed, join(folder, "node_modules"));
    return await new Promise((resolve) => {
      const vitest = join(installed, "vitest", "vitest.mjs");
      const { PATH, HOME } = process.env;
      const options = { cwd: folder, env: { PATH, HOME, CI: "true", NO_COLOR: "1" } };
      // It ends with 1 where the test fails, which is an answer, too.
      execFile(process.execPath, [vitest, "run"], options, (_, stdout, stderr) =>
        resolve(stdout + stderr),
      );
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}
