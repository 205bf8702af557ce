import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Program } from "./child.js";
import type { Peer } from "./peers.js";
import { runTool } from "./tools.js";

/** The programs of a peer: its client, and its agent without the addresses that the card names. */
export interface Programs {
  readonly client: Program;
  readonly agent: Program;
}

const installMs = 300_000;
const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** Installs a peer into a folder, in the versions that are pinned here. What is installed there already stays as it is. */
export async function install({ id, tool }: Peer, folder: string): Promise<Programs> {
  return tool === "go" ? installGo(folder) : installPython(id, folder);
}

async function installPython(id: string, folder: string): Promise<Programs> {
  const line = id.replace("python-", "");
  const home = join(folder, id);
  const command = join(home, "bin", "python");
  if (!existsSync(command)) {
    await runTool("python3", ["-m", "venv", "--without-pip", home], { timeoutMs: installMs });
    const requirements = here(`python/requirements-${line}.txt`);
    const quietly = ["--quiet", "--no-compile", "--no-deps", "--disable-pip-version-check"];
    const pip = ["-m", "pip", "--python", command, "install", ...quietly];
    await runTool("python3", [...pip, "--requirement", requirements], { timeoutMs: installMs });
  }
  const [major] = line.split(".");
  // Nothing is written beside the programs, which are in the repository.
  const environment = { PYTHONPYCACHEPREFIX: join(home, "compiled"), PYTHONWARNINGS: "ignore" };
  const program = (name: string): Program => ({
    command,
    args: [here(`python/${name}_${major}.py`)],
    environment,
  });
  return { client: program("client"), agent: program("agent") };
}

async function installGo(folder: string): Promise<Programs> {
  const env = { GOTOOLCHAIN: "local", GOFLAGS: "-mod=readonly -buildvcs=false" };
  const cwd = here("go");
  await runTool("go", ["build", "-o", `${folder}/`, "./..."], { cwd, env, timeoutMs: installMs });
  const program = (name: string): Program => ({ command: join(folder, name), args: [] });
  return { client: program("client"), agent: program("agent") };
}
