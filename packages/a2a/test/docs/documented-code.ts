import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { cp, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect } from "vitest";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** The TypeScript of a page: each block is a file, whose name its first line says. */
function codeIn(page: string): ReadonlyMap<string, string> {
  const text = readFileSync(join(root, page), "utf8");
  const blocks = Array.from(text.matchAll(/^```ts\n(.*?)^```$/gms), ([, code = ""]) => code);
  return new Map(
    blocks.map((code) => [/^\/\/ (\S+)\.ts\n/.exec(code)?.[1] ?? expect.fail(code), code]),
  );
}

/** The code of a page, compiled against the package, in a folder of its own. */
export interface DocumentedCode extends AsyncDisposable {
  /** What the compiler has to say. */
  readonly complaints: string;
  /** Where a file is, to be run. */
  pathOf(name: string): string;
  /** Imports a file into this process. */
  load(name: string): Promise<unknown>;
  /** Runs a file in a process of its own, until it listens on ports that it asks for. */
  run(name: string, ...ports: readonly number[]): Promise<Running>;
}

export interface Running extends AsyncDisposable {
  /** Which ports it got in place of those that it asked for. */
  portFor(asked: number): number;
  /** Sends the signal and waits for the process to end; answers its exit code, if it ended by itself. */
  stop(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
}

/** Whatever port is asked for, one that is free is taken, and told to who started the process. */
const freePorts = `
import { Server } from "node:net";
const { listen } = Server.prototype;
Server.prototype.listen = function (asked, ...rest) {
  this.once("listening", () => process.send?.({ asked, port: this.address().port }));
  return listen.call(this, 0, ...rest);
};
`;

export async function openCode(page: string): Promise<DocumentedCode> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "parley-docs-")));
  const write = (name: string, text: string) => writeFile(join(folder, name), text);
  await cp(join(root, "tsconfig.base.json"), join(folder, "tsconfig.base.json"));
  await symlink(join(root, "node_modules"), join(folder, "node_modules"));
  await write("package.json", JSON.stringify({ type: "module" }));
  await write("free-ports.mjs", freePorts);
  await write("tsconfig.json", JSON.stringify(configuration));
  for (const [name, code] of codeIn(page)) await write(`${name}.ts`, code);
  const tsc = join(root, "node_modules/.bin/tsc");
  const { stdout } = spawnSync(tsc, ["-p", folder], { encoding: "utf8" });
  const pathOf = (name: string): string => join(folder, `${name}.js`);
  return {
    complaints: stdout,
    pathOf,
    load: (name) => import(/* @vite-ignore */ pathToFileURL(pathOf(name)).href),
    run: (name, ...ports) => run(folder, name, ports),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

const configuration = {
  extends: "./tsconfig.base.json",
  compilerOptions: {
    types: ["node"],
    rootDir: ".",
    outDir: ".",
    composite: false,
    isolatedDeclarations: false,
    declarationMap: false,
    skipLibCheck: true,
  },
  include: ["*.ts"],
};

async function run(folder: string, name: string, ports: readonly number[]): Promise<Running> {
  const child = fork(join(folder, `${name}.js`), {
    cwd: folder,
    execArgv: ["--import", pathToFileURL(join(folder, "free-ports.mjs")).href],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let stderr = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const exited = once(child, "exit").then(() => child.exitCode);
  const taken = new Map<number, number>();
  const listening = new Promise<"listening">((resolve) => {
    child.on("message", (message) => {
      const { asked, port } = message as { asked: number; port: number };
      taken.set(asked, port);
      if (ports.every((one) => taken.has(one))) resolve("listening");
    });
  });
  const outcome = await Promise.race([listening, exited]);
  if (outcome !== "listening") throw new Error(`${name}.ts ended with ${outcome}: ${stderr}`);
  const stop: Running["stop"] = (signal) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return exited;
  };
  return {
    portFor: (asked) => taken.get(asked) ?? expect.fail(`nobody asked for ${asked}`),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop("SIGKILL")),
  };
}
