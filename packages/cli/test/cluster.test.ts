import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { serve } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { eventsIn, quietLife } from "../../a2a/test/support/read-log.js";
import { findNats } from "../../a2a/test/support/postgres/find-programs.js";
import { startNats } from "../../a2a/test/support/postgres/start-nats.js";
import { startPostgres } from "../../a2a/test/support/postgres/start-postgres.js";
import type { TestPostgres } from "../../a2a/test/support/postgres/start-postgres.js";
import { openCliServer } from "../../a2a/test/support/servers/open-cli-server.js";
import { runCli } from "../src/run-cli.js";
import type { ExitCode } from "../src/command.js";

const nats = findNats();

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

// What would name another database or bus.
beforeEach(() => {
  const named = /^(?:DATABASE_URL|NATS_URL|PARLEY_|PG)/;
  for (const name of Object.keys(process.env)) if (named.test(name)) vi.stubEnv(name, undefined);
});
afterEach(() => void vi.unstubAllEnvs());

interface Said {
  readonly exitCode: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command with a database in the environment. */
async function parley(url: string, ...args: readonly string[]): Promise<Said> {
  vi.stubEnv("DATABASE_URL", url);
  const said = { stdout: "", stderr: "" };
  const exitCode = await runCli(args, {
    stdout: { write: (text) => (said.stdout += text) },
    stderr: { write: (text) => (said.stderr += text) },
  });
  return { exitCode, ...said };
}

async function countTables(url: string): Promise<unknown> {
  const [row] = await postgres.run(
    "SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'parley'",
    url,
  );
  return row?.["count"];
}

describe("parley migrate", () => {
  it("says with --dry-run what it would do, does it, and then has nothing to do", async () => {
    const url = await postgres.createDatabase();
    const planned = await parley(url, "migrate", "--dry-run");
    expect(planned).toMatchObject({ exitCode: 0, stderr: "" });
    expect(planned.stdout).toMatch(/^The schema would go from version 0 to \d+:\n-- /);
    expect(planned.stdout).toMatch(/^CREATE TABLE /m);
    expect(await countTables(url)).toBe(0);

    const done = await parley("", "migrate", "--store", url);
    expect(done).toMatchObject({ exitCode: 0, stderr: "" });
    expect(done.stdout).toMatch(/^The schema went from version 0 to \d+:\n(?:-- .*\n)+$/);
    expect(await countTables(url)).toBeGreaterThan(3);

    const again = await parley(url, "migrate");
    expect(again).toMatchObject({ exitCode: 0, stderr: "" });
    expect(again.stdout).toMatch(/^The schema is up to date: version \d+\n$/);
  });
});

const slow = agent({
  name: "Slow",
  description: "Works until it is stopped",
  durable: true,
  version: "7",
  run: ({ signal }) =>
    new Promise((resolve) => signal.addEventListener("abort", () => resolve(""))),
});

/** Begins a task, and resolves when it works. */
async function begin(url: string): Promise<void> {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "go" }] };
  const params = { message, configuration: { returnImmediately: true } };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params });
  const headers = { "Content-Type": "application/json", "A2A-Version": "1.0" };
  const response = await fetch(url, { method: "POST", headers, body });
  expect(await response.text()).toContain('"task"');
}

interface Status {
  readonly node: string;
  readonly address: string;
  readonly revision: string;
  readonly isDraining: boolean;
  readonly isLive: boolean;
  readonly tasks: number;
}

describe("a cluster", () => {
  it("lists its nodes, and one of them hands its tasks to the other when it is drained", async () => {
    const url = await postgres.createDatabase();
    const options = { store: url, port: 0, settings: { stopGraceMs: 0 } };
    await using first = await serve(slow, options);
    await using second = await serve(slow, options);
    const nodes = async (): Promise<readonly Status[]> =>
      JSON.parse((await parley(url, "cluster", "status", "--json")).stdout) as Status[];
    const at = async (address: string) => (await nodes()).find((one) => one.address === address);
    for (let count = 0; count < 3; count += 1) await begin(first.url);
    await expect.poll(async () => (await at(first.url))?.tasks).toBe(3);

    const { stdout } = await parley(url, "cluster", "status");
    const lines = stdout.trim().split("\n");
    expect(lines[0]).toMatch(
      /^SLOT +NODE +AGENT +REVISION +VERSION +ADDRESS +LEASE +DRAINING +TASKS$/,
    );
    const shown = lines.find((line) => line.includes(first.url)) ?? "";
    expect(shown).toMatch(/^\d +\S+ +Slow +7 +\S+ +http:\S+ +\d+\.\ds +no +3$/);

    const drained = await parley(url, "drain", first.url);
    expect(drained).toMatchObject({ exitCode: 0 });
    expect(drained.stderr).toMatch(/^(?:\d tasks are left\n|1 task is left\n)*0 tasks are left\n$/);
    expect(drained.stdout).toBe(`Drained: ${(await at(first.url))?.node}\n`);
    expect(await at(first.url)).toMatchObject({ isDraining: true, isLive: true, tasks: 0 });
    await expect.poll(async () => (await at(second.url))?.tasks).toBe(3);
    const probed = await fetch(`${first.url}/readyz`);
    expect([probed.status, await probed.json()]).toEqual([
      503,
      { status: "unready", reasons: { draining: "an operator has asked this node to stop" } },
    ]);
    expect((await fetch(`${first.url}/healthz`)).status).toBe(200);

    const undone = await parley(url, "drain", first.url, "--undo");
    expect(undone).toMatchObject({ exitCode: 0, stderr: "" });
    expect(undone.stdout).toMatch(/^Takes tasks again: \S+\n$/);
    await expect.poll(async () => (await fetch(`${first.url}/readyz`)).status).toBe(200);
  });

  it("has no node of a name that nobody has", async () => {
    const url = await postgres.createDatabase();
    await parley(url, "migrate");
    expect(await parley(url, "drain", "nobody")).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: "Error: there is no node nobody; parley cluster status lists the nodes\n",
    });
  });

  it("says where it keeps tasks without the password, and leaves no node when it has ended", async () => {
    const url = await postgres.createDatabase();
    const { DATABASE_URL: _, NATS_URL: __, ...env } = process.env;
    await using server = await openCliServer(url, env as Record<string, string>);
    expect(server.stdout()).toMatch(/^Store: postgres 127\.0\.0\.1:\d+\/test_\d+$/m);
    expect(server.stdout()).toMatch(/^Bus: postgres 127\.0\.0\.1:\d+\/test_\d+$/m);
    expect(server.stdout()).not.toContain("secret");
    expect(await server.stop("SIGTERM")).toBe(0);
    expect(server.stderr()).not.toContain("secret");
    expect(eventsIn(server.stderr())).toEqual(quietLife);
    const { stdout, stderr } = await parley(url, "cluster", "status");
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^No node has a lease in postgres 127\.0\.0\.1:\d+\/test_\d+\n$/);
  });
});

describe("a server", () => {
  it.skipIf(!nats.isThere)(
    `takes its store and its bus from the environment, ${nats.name}`,
    async () => {
      await using broker = await startNats();
      vi.stubEnv("DATABASE_URL", await postgres.createDatabase());
      vi.stubEnv("NATS_URL", broker.url);
      await using server = await serve(slow, { port: 0 });
      expect(server.store).toMatch(/^postgres 127\.0\.0\.1:\d+\/test_\d+$/);
      expect(server.bus).toBe(`nats ${new URL(broker.url).host}`);
      await using deaf = await serve(slow, { port: 0, bus: "memory:" });
      expect(deaf.bus).toBe("this process");
    },
  );
});

describe("a database that cannot be used is named in one line by", () => {
  const commands = {
    serve: ["serve", "--port", "0", "--no-grpc"],
    migrate: ["migrate"],
    status: ["cluster", "status"],
    drain: ["drain", "pod-1"],
  };

  /** One line that says what is wrong, and exit code 1. */
  function expectLine({ exitCode, stdout, stderr }: Said, reason: RegExp): void {
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^Error: [^\n]+\n$/);
    expect(stderr).toMatch(reason);
    expect(stderr).not.toContain("secret");
    expect(exitCode).toBe(1);
  }

  /** The URL of the database `postgres` with one part of it replaced. */
  function spoiled(part: "password" | "pathname", value: string): string {
    const url = new URL(postgres.url);
    url[part] = value;
    return url.href;
  }

  describe.each(Object.entries(commands))("%s", (name, args) => {
    it("when the password is wrong", async () => {
      expectLine(await parley(spoiled("password", "a-secret"), ...args), /password/);
    });

    it("when nobody listens there", async () => {
      const url = "postgres://ann:secret@127.0.0.1:1/agents";
      expectLine(await parley(url, ...args), /127\.0\.0\.1:1\b/);
    });

    it("when there is no such database", async () => {
      expectLine(await parley(spoiled("pathname", "/nobody_made_it"), ...args), /nobody_made_it/);
    });

    it("when it is no URL of PostgreSQL", async () => {
      const { exitCode, stderr } = await parley("mysql://ann:secret@db/shop", ...args);
      expect(exitCode).toBe(name === "migrate" ? 2 : 1);
      expect(stderr).toMatch(/^Error: DATABASE_URL (?:begins with mysql:|must be postgres:)/);
      expect(stderr).not.toContain("secret");
    });
  });

  it.each([commands.status, commands.drain])(
    "%s %s when it has no tables, and gets none",
    async (...args) => {
      const url = await postgres.createDatabase();
      expectLine(await parley(url, ...args), /parley migrate/);
      expect(await countTables(url)).toBe(0);
    },
  );

  it("serve when a later version has changed its tables", async () => {
    const url = await postgres.createDatabase();
    await parley(url, "migrate");
    await postgres.run("UPDATE parley.parley_meta SET version = 999, min_version = 999", url);
    expectLine(await parley(url, ...commands.serve), /999/);
    expectLine(await parley(url, ...commands.migrate), /999/);
  });

  it("serve when it does not write to its disk, or only reads", async () => {
    const url = await postgres.createDatabase();
    await postgres.restart({ settings: { fsync: "off" } });
    expectLine(await parley(url, ...commands.serve), /fsync/);
    await postgres.restart({ settings: { fsync: "on" }, isStandby: true });
    expectLine(await parley(url, ...commands.serve), /standby|read-only|only reads/);
    expectLine(await parley(url, ...commands.migrate), /standby|read-only|only reads/);
  });
});
