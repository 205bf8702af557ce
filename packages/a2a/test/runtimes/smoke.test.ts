import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findRuntimes } from "./find-runtimes.js";
import { openProject } from "./open-project.js";
import type { Project } from "./open-project.js";

const read = (name: string): string =>
  readFileSync(new URL(`./smoke/${name}`, import.meta.url), "utf8");

let project: Project;

beforeAll(async () => {
  project = await openProject({
    "package.json": JSON.stringify({ type: "module" }),
    "smoke.mjs": read("smoke.mjs"),
    "call-over.mjs": read("call-over.mjs"),
  });
});

afterAll(() => project[Symbol.asyncDispose]());

const called = (binding: string) => ({
  binding,
  streamed: "one two three",
  asked: ["Where to?"],
  answer: "To Rome for 42",
});

const overHttp = {
  JSONRPC: called("JSONRPC"),
  "HTTP+JSON": called("HTTP+JSON"),
  closed: "waiting",
};

describe.each(findRuntimes())(
  "on $name $version",
  ({ command, version, isThere, drivers, hasGrpcClient, hasFetchServer }) => {
    it.skipIf(!isThere)(
      "an agent is served and called, keeps its tasks, closes in mid-stream, and the process ends by itself",
      async () => {
        const [program, ...args] = command;
        const settings = {
          drivers,
          hasFetchServer,
          ...(!hasGrpcClient && { grpcCaller: process.execPath }),
        };
        const { stdout } = await promisify(execFile)(
          program,
          [...args, "smoke.mjs", JSON.stringify(settings)],
          {
            cwd: project.folder,
            // A process that does not end by itself is killed, and the test says so.
            timeout: 120_000,
            env: {
              ...process.env,
              DENO_DIR: join(project.folder, ".deno"),
              DENO_NO_UPDATE_CHECK: "1",
            },
          },
        );
        const served = { ...overHttp, GRPC: called("GRPC"), kept: "one two three" };
        expect(JSON.parse(stdout)).toEqual({
          version,
          ...Object.fromEntries(drivers.map((driver) => [driver, served])),
          ...(hasFetchServer && { fetch: overHttp }),
        });
      },
    );
  },
);
