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

it("metrics, logs, traces that pass through, and a tracer of one's own need nothing more", () => {
  const { status, stdout, stderr } = run(
    ...program,
    'import { connect } from "@parley/a2a";',
    'import { createMemoryStore } from "@parley/a2a/store/memory";',
    "const span = { context: undefined, isRecording: true, set() {}, link() {}, event() {}, fail() {}, end() {},",
    "  within: (work) => work(), goOnIn() {} };",
    "const names = [];",
    "const tracer = { startSpan: (name) => (names.push(name), span), active: () => undefined };",
    "const options = { port: 0, store: createMemoryStore(), telemetry: { tracer }, metrics: { port: 0 } };",
    "const log = { level: 'info', format: 'json', write: (line) => console.log(JSON.parse(line).event) };",
    "const server = await serve(echo, { ...options, log });",
    "console.log(await (await connect(server.url, { telemetry: { tracer } })).text('hello'));",
    "console.log(/^parley_ready 1$/m.test(await (await fetch(server.metricsUrl)).text()));",
    "console.log(names.includes('run Echo'));",
    "await server.close();",
  );
  const shown = stdout.split("\n").filter((line) => !line.startsWith("drain."));
  expect({ status, shown, stderr }).toEqual({
    status: 0,
    shown: ["server.started", "hello", "true", "true", "server.stopped", ""],
    stderr: "",
  });
});

it("importing telemetry over OpenTelemetry names the package that is missing", () => {
  const { status, stderr } = run('await import("@parley/a2a/otel");');
  expect(status).toBe(1);
  expect(stderr).toContain("Cannot find package '@opentelemetry/api'");
});

it("telemetry has added no dependency: OpenTelemetry's API is there where somebody installs it", () => {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest;
  const names = Object.keys({ ...dependencies, ...optionalDependencies });
  expect(names).toEqual(["jose", "oauth4webapi", "libsql"]);
  const telemetry = /opentelemetry|prom|pino|winston/;
  const peers = Object.keys(peerDependencies).filter((name) => telemetry.test(name));
  expect(peers).toEqual(["@opentelemetry/api"]);
  expect(peerDependenciesMeta["@opentelemetry/api"]).toEqual({ optional: true });
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
