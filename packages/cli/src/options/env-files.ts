import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseEnv } from "node:util";
import { UsageError } from "../usage-error.js";

/** Where options come from besides the command line. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The folder of `a2a-cli`, with the user's own `.env` and tokens. */
  readonly configFolder: string;
}

/** The surroundings of this process. */
export function surroundings(): Surroundings {
  const { env } = process;
  const base = env["XDG_CONFIG_HOME"];
  const configFolder = join(
    base === undefined || base === "" ? join(homedir(), ".config") : base,
    "a2a-cli",
  );
  return { env, cwd: process.cwd(), configFolder };
}

/** A source of options, with what it says. */
export interface OptionSource {
  /** What `config show` calls it. */
  readonly name: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/**
 * The sources of options after the command line, the strongest first. `config` is the file of `--config`, which the environment
 * can name too.
 */
export function readSources(
  { env, cwd, configFolder }: Surroundings,
  config: string | undefined = env["A2ACLI_CONFIG"] || undefined,
): readonly OptionSource[] {
  const near = config === undefined ? findUpward(cwd) : readGiven(resolve(cwd, config));
  const own = readEnvFile(join(configFolder, ".env"));
  return [
    { name: "environment", variables: env },
    ...(near === undefined ? [] : [near]),
    ...(own === undefined ? [] : [own]),
  ];
}

function findUpward(folder: string): OptionSource | undefined {
  const parent = dirname(folder);
  return readEnvFile(join(folder, ".env")) ?? (parent === folder ? undefined : findUpward(parent));
}

function readGiven(path: string): OptionSource {
  const found = readEnvFile(path);
  if (found !== undefined) return found;
  throw new UsageError(`--config: there is no file ${path}`, { hint: "parley help config show" });
}

/** The variables of an `.env` file; `undefined` where there is none that can be read. */
function readEnvFile(path: string): OptionSource | undefined {
  try {
    return { name: path, variables: parseEnv(readFileSync(path, "utf8")) };
  } catch {
    return undefined;
  }
}
