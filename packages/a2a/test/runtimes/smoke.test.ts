import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findRuntimes } from "./find-runtimes.js";
import type { RuntimeUnderTest } from "./find-runtimes.js";
import { openProject } from "./open-project.js";
import type { Project } from "./open-project.js";

const scripts = ["smoke.mjs", "call-over.mjs", "notify.mjs"].map((name) => {
  const text = readFileSync(new URL(`./smoke/${name}`, import.meta.url), "utf8");
  return [name, text] as const;
});

let project: Project;

beforeAll(async () => {
  const manifest = JSON.stringify({ type: "module" });
  project = await openProject({ "package.json": manifest, ...Object.fromEntries(scripts) });
});

afterAll(() => project[Symbol.asyncDispose]());

/** Runs the program; answers what it reports, once its process has ended by itself. */
async function run(runtime: RuntimeUnderTest): Promise<Readonly<Record<string, unknown>>> {
  const [program, ...args] = runtime.command;
  const { drivers, hasFetchServer } = runtime;
  const grpcCaller = runtime.hasGrpcClient ? undefined : process.execPath;
  const settings = JSON.stringify({ drivers, hasFetchServer, grpcCaller });
  const { stdout } = await promisify(execFile)(program, [...args, "smoke.mjs", settings], {
    cwd: project.folder,
    env: { ...process.env, DENO_DIR: join(project.folder, ".deno"), DENO_NO_UPDATE_CHECK: "1" },
    timeout: 120_000,
  });
  return JSON.parse(stdout) as Readonly<Record<string, unknown>>;
}

/** What a caller gets over a binding. */
const called = (binding: string) => ({
  binding,
  streamed: "one two three",
  asked: ["Where to?"],
  answer: "To Rome for 42",
});

/** `closed`: what a caller had read when the server closed. */
const overHttp = {
  JSONRPC: called("JSONRPC"),
  "HTTP+JSON": called("HTTP+JSON"),
  closed: "waiting",
};

const refused = "the webhook is refused: its name does not stand for a public address";

for (const runtime of findRuntimes()) {
  const { name, version, isThere, drivers, hasFetchServer } = runtime;
  describe.skipIf(!isThere)(`on ${name} ${version}`, () => {
    let report: Awaited<ReturnType<typeof run>>;

    beforeAll(async () => {
      report = await run(runtime);
    });

    it("runs in the version that is pinned", () => {
      expect(report["version"]).toBe(version);
    });

    it.each(drivers)(
      "serve() answers over every binding, closes in mid-stream, and keeps tasks with %s",
      (driver) => {
        const kept = "one two three";
        expect(report[driver]).toEqual({ ...overHttp, GRPC: called("GRPC"), kept });
      },
    );

    it.runIf(hasFetchServer)(
      "the runtime's own server answers with createFetchHandler, and closes in mid-stream",
      () => {
        expect(report["fetch"]).toEqual(overHttp);
      },
    );

    it("push notifications reach no private address, since sockets ask the guard for addresses", () => {
      const expected = { allowed: "arrived", http: refused, https: refused, received: 1 };
      expect(report["push"]).toEqual(expected);
    });
  });
}
