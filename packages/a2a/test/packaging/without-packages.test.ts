import { spawnSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, realpath, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** A program that has installed the library, without the packages that are optional. */
let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "parley-without-packages-")));
  const installed = join(folder, "node_modules/@parley/a2a");
  await cp(join(root, "packages/a2a/dist"), join(installed, "dist"), { recursive: true });
  await cp(join(root, "packages/a2a/package.json"), join(installed, "package.json"));
  for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
    const link = join(folder, "node_modules", name);
    await mkdir(dirname(link), { recursive: true });
    await symlink(join(root, "node_modules", name), link);
  }
});

afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));

function run(...lines: readonly string[]) {
  const args = ["--input-type=module", "--eval", lines.join("\n")];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

const program = [
  'import { agent } from "@parley/a2a";',
  'import { serve } from "@parley/a2a/node";',
  'const echo = agent({ name: "Echo", description: "Repeats", run: ({ text }) => text });',
];

it("serve() with gRPC says what to install, before it opens a store", async () => {
  const serving = "await serve(echo, { port: 0, grpc: { port: 0 } })";
  const { status, stdout } = run(
    ...program,
    `${serving}.catch((error) => { console.log(error.message); process.exitCode = 3; });`,
  );
  expect({ status, stdout }).toEqual({
    status: 3,
    stdout: "gRPC needs two more packages: npm install @grpc/grpc-js protobufjs\n",
  });
  expect(await readdir(folder)).toEqual(["node_modules"]);
});

it("a PostgreSQL store says what to install", () => {
  const { stdout } = run(
    'import { openPostgresStore } from "@parley/a2a/store/postgres";',
    "await openPostgresStore().catch((error) => console.log(error.message));",
  );
  expect(stdout).toBe("PostgreSQL needs one more package: npm install pg\n");
});

it("serve() without gRPC needs nothing more", () => {
  const { status, stdout, stderr } = run(
    ...program,
    'import { createMemoryStore } from "@parley/a2a/store/memory";',
    "const server = await serve(echo, { port: 0, store: createMemoryStore() });",
    "console.log((await fetch(`${server.url}/.well-known/agent-card.json`)).status);",
    "await server.close();",
  );
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: "200\n", stderr: "" });
});

it("importing gRPC names the package that is missing", () => {
  const { status, stderr } = run('await import("@parley/a2a/grpc");');
  expect(status).toBe(1);
  expect(stderr).toContain("Cannot find package '@grpc/grpc-js'");
});

it.each([
  [
    "nats",
    "connectNatsBus",
    "the NATS bus needs one more package: npm install @nats-io/transport-node",
  ],
  ["postgres", "openPostgresBus", "PostgreSQL needs one more package: npm install pg"],
])("the bus over %s says what to install", (name, open, message) => {
  const { status, stdout } = run(
    `import { ${open} } from "@parley/a2a/bus/${name}";`,
    `await ${open}({ url: "${name}://localhost" }).catch((error) => console.log(error.message));`,
  );
  expect({ status, stdout }).toEqual({ status: 0, stdout: `${message}\n` });
});
