import { fork, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFile,
  copyFile,
  mkdtemp,
  readdir,
  realpath,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect } from "vitest";
import { tlsPath } from "../support/files/tls.js";
import { modulesOf, pathInRoot } from "./page.js";

/** What the code of a page finds around it. */
export interface Surroundings {
  /** The ports on this machine of hosts that the page names, such as `agents.example.com:443`. */
  readonly peers?: Readonly<Record<string, number>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly args?: readonly string[];
  /** Files of its working directory. */
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** JavaScript that runs before it. */
  readonly before?: string;
}

/** The code of a page, compiled as a user compiles it, in a folder of its own. */
export interface DocumentedCode extends AsyncDisposable {
  /** Where it runs. */
  readonly folder: string;
  /** What the compiler has to say. */
  readonly complaints: string;
  /** The files that no process has run to their end. */
  readonly notRun: readonly string[];
  /** Imports a file into this process. */
  load(name: string): Promise<unknown>;
  /** Runs a file in a process of its own, until it listens on ports that it asks for. */
  run(name: string, ports: readonly number[], surroundings?: Surroundings): Promise<Running>;
  /** Runs a file to its end; gives what it prints. */
  outputOf(name: string, surroundings?: Surroundings): Promise<string>;
  /** Runs the blocks that name no file, one after the other in one process, which goes on when the last has run. */
  runBlocks(surroundings?: Surroundings): Promise<Running>;
  /** Runs a file, or the blocks that name none, and does not wait for anything. */
  start(name: string, surroundings?: Surroundings): Promise<Started>;
}

export interface Running extends AsyncDisposable {
  /** Which port it got in place of one that it asked for: the latest, or that of the call with this index. */
  portFor(asked: number, index?: number): number;
  /** What it has printed. */
  stdout(): string;
  /** What it has complained of. */
  stderr(): string;
  /** Sends the signal and waits for the process to end; answers its exit code, if it ended by itself. */
  stop(signal: "SIGTERM" | "SIGKILL"): Promise<number | null>;
}

/** The settings that the README asks for. */
const settings = { module: "nodenext", types: ["node"], strict: true };

/** Longer than the code of any page takes on a busy machine. */
const patienceMs = 120_000;

export async function openCode(
  page: string,
  moreSettings: Readonly<Record<string, unknown>> = {},
): Promise<DocumentedCode> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "parley-docs-")));
  const write = (name: string, text: string | Uint8Array) => writeFile(join(folder, name), text);
  await symlink(pathInRoot("node_modules"), join(folder, "node_modules"));
  await write("package.json", JSON.stringify({ type: "module" }));
  const compilerOptions = { ...settings, ...moreSettings };
  await write("tsconfig.json", JSON.stringify({ compilerOptions }));
  // A page may import the agents among the examples.
  for (const name of await readdir(pathInRoot("examples"))) {
    if (/^\w+\.ts$/.test(name)) await copyFile(pathInRoot(`examples/${name}`), join(folder, name));
  }
  const modules = modulesOf(page);
  for (const [name, code] of modules) await write(`${name}.ts`, code);
  const { stdout } = spawnSync(pathInRoot("node_modules/.bin/tsc"), [], {
    cwd: folder,
    encoding: "utf8",
  });
  const pathOf = (name: string): string => join(folder, `${name}.js`);
  for (const name of modules.keys()) {
    await appendFile(pathOf(name), `\nglobalThis.ran?.(${JSON.stringify(name)});\n`);
  }
  const blocks = Array.from(modules.keys()).filter((name) => name.startsWith("line-"));
  const imports = [...blocks.map((name) => `await import("./${name}.js");`), 'ran("blocks");'];
  await write("blocks.js", imports.join("\n"));

  const ran = new Set<string>();
  const start = async (
    name: string,
    { files = {}, before = "", ...rest }: Surroundings,
  ): Promise<Started> => {
    for (const [file, content] of Object.entries(files)) await write(file, content);
    await write("before.js", before);
    return startProcess(folder, name, { ran, ...rest });
  };
  return {
    folder,
    complaints: stdout,
    get notRun() {
      return Array.from(modules.keys()).filter((name) => !ran.has(name));
    },
    async load(name) {
      const loaded: unknown = await import(/* @vite-ignore */ pathToFileURL(pathOf(name)).href);
      ran.add(name);
      return loaded;
    },
    async run(name, ports, surroundings = {}) {
      const started = await start(name, surroundings);
      await started.until(() => ports.every((port) => started.taken.has(port)));
      return started;
    },
    async outputOf(name, surroundings = {}) {
      await using started = await start(name, surroundings);
      await started.until(() => started.finished.has(name));
      expect(await started.exited, started.stderr()).toBe(0);
      return started.stdout();
    },
    start: (name, surroundings = {}) => start(name, surroundings),
    async runBlocks(surroundings = {}) {
      const started = await start("blocks", surroundings);
      await started.until(() => started.finished.has("blocks"));
      return started;
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true, maxRetries: 3 }),
  };
}

export interface Started extends Running {
  readonly taken: ReadonlyMap<number, readonly number[]>;
  /** The files that it has run to their end. */
  readonly finished: ReadonlySet<string>;
  readonly exited: Promise<number | null>;
  /** Resolves when this is so; rejects when the process ends before. */
  until(isSo: () => boolean): Promise<void>;
}

interface StartOptions extends Omit<Surroundings, "files" | "before"> {
  readonly ran: Set<string>;
}

type Report = { readonly asked: number; readonly port: number } | { readonly ran: string };

function startProcess(
  folder: string,
  name: string,
  { ran, peers = {}, env = {}, args = [] }: StartOptions,
): Started {
  const child = fork(join(folder, `${name}.js`), args, {
    cwd: folder,
    execArgv: ["--import", new URL("reroute.mjs", import.meta.url).href, "--import", "./before.js"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: {
      ...process.env,
      NODE_EXTRA_CA_CERTS: tlsPath("example-cert"),
      GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: tlsPath("example-cert"),
      PARLEY_DOCS_PEERS: JSON.stringify(peers),
      ...env,
    },
    timeout: patienceMs,
    killSignal: "SIGKILL",
  });
  let stdout = "";
  let stderr = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  const exited = once(child, "close").then(() => child.exitCode);
  const taken = new Map<number, number[]>();
  const finished = new Set<string>();
  child.on("message", (report: Report) => {
    if ("ran" in report) {
      finished.add(report.ran);
      ran.add(report.ran);
    } else taken.set(report.asked, [...(taken.get(report.asked) ?? []), report.port]);
  });
  const stop: Running["stop"] = (signal) => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    return exited;
  };
  return {
    taken,
    finished,
    exited,
    async until(isSo) {
      while (!isSo()) {
        const code = await Promise.race([once(child, "message").then(() => "on"), exited]);
        if (code !== "on" && !isSo()) {
          throw new Error(`${name}.ts ended with ${code}: ${stdout}${stderr}`);
        }
      }
    },
    portFor: (asked, index = -1) =>
      taken.get(asked)?.at(index) ?? expect.fail(`nobody asked for ${asked}`),
    stdout: () => stdout,
    stderr: () => stderr,
    stop,
    [Symbol.asyncDispose]: async () => void (await stop("SIGKILL")),
  };
}
