import { existsSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import manifest from "./binaries/package.json" with { type: "json" };

/** A runtime under test, and what the library has on it. */
export interface RuntimeUnderTest {
  readonly name: string;
  /** The program, and the arguments that come before the script. */
  readonly command: readonly [program: string, ...args: string[]];
  readonly version: string;
  readonly isThere: boolean;
  /** The SQLite drivers that work there. */
  readonly drivers: readonly string[];
  /** Whether a gRPC client may run there. Deno 2.9 crashes when the server ends the connection. */
  readonly hasGrpcClient: boolean;
  /** Whether it has a server of its own for `createFetchHandler`. */
  readonly hasFetchServer: boolean;
}

type Traits = Pick<RuntimeUnderTest, "drivers" | "hasGrpcClient" | "hasFetchServer">;

const node: Traits = {
  drivers: ["libsql", "node:sqlite"],
  hasGrpcClient: true,
  hasFetchServer: false,
};

const folder = fileURLToPath(new URL("./binaries/", import.meta.url));

const runtimes: readonly RuntimeUnderTest[] = [
  describeRuntime("node-20", ["bin/node"], { ...node, drivers: ["libsql"] }),
  describeRuntime("node-22", ["bin/node"], node),
  describeRuntime("node-24", ["bin/node"], node),
  describeRuntime("bun", ["bin/bun"], {
    drivers: ["libsql", "node:sqlite", "bun:sqlite"],
    hasGrpcClient: true,
    hasFetchServer: true,
  }),
  describeRuntime("deno", ["deno", "run", "--allow-all"], {
    drivers: ["libsql", "node:sqlite"],
    hasGrpcClient: false,
    hasFetchServer: true,
  }),
];

function describeRuntime(
  name: keyof typeof manifest.optionalDependencies,
  [binary, ...args]: readonly [string, ...string[]],
  traits: Traits,
): RuntimeUnderTest {
  const program = `${folder}node_modules/${name}/${binary}`;
  const version = manifest.optionalDependencies[name].split("@").at(-1) ?? "";
  return { name, command: [program, ...args], version, isThere: existsSync(program), ...traits };
}

/** The runtimes under test. Those that are missing are skipped at a desk, and fail in continuous integration. */
export function findRuntimes(): readonly RuntimeUnderTest[] {
  const missing = runtimes.filter(({ isThere }) => !isThere).map(({ name }) => name);
  if (missing.length === 0) return runtimes;
  const message = `the runtimes ${missing.join(", ")} are not installed; \`npm run runtimes\` installs them on Linux on x64`;
  if (process.env["CI"]) throw new Error(message);
  process.stderr.write(`The library was not tried on every runtime: ${message}.\n`);
  return runtimes;
}
