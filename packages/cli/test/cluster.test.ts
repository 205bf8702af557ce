import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { startPostgres } from "../../a2a/test/support/postgres/start-postgres.js";
import type { TestPostgres } from "../../a2a/test/support/postgres/start-postgres.js";
import { fileURLToPath } from "node:url";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));

let postgres: TestPostgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres[Symbol.asyncDispose]());

/** The environment without what would name another database. */
function environment(more: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const named = /^(?:DATABASE_URL|NATS_URL|PARLEY_|PG)/;
  const inherited = Object.entries(process.env).filter(([name]) => !named.test(name));
  return { ...Object.fromEntries(inherited), ...more };
}

async function parley(env: NodeJS.ProcessEnv, ...args: readonly string[]) {
  const child = spawn(process.execPath, [bin, ...args], { env: environment(env) });
  const said = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => (said[name] += text));
  }
  const [status] = (await once(child, "close")) as [number | null];
  return { status, ...said };
}

/** A server in a process of its own, and what it has said first. */
async function openNode(url: string, ...args: readonly string[]) {
  const all = [bin, "serve", "--port", "0", "--no-grpc", ...args];
  const child = spawn(process.execPath, all, {
    env: environment({ DATABASE_URL: url }),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for await (const text of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    said += String(text);
    if (said.includes("Try:")) break;
  }
  const [, address = ""] = /^Page: (\S+)$/m.exec(said) ?? [];
  const stop = async (): Promise<number | null> => {
    child.kill("SIGTERM");
    const [status] = (await once(child, "exit")) as [number | null];
    return status;
  };
  return { address, said, stop };
}

async function countTables(url: string): Promise<number> {
  const [row] = await postgres.run(
    "SELECT count(*)::int AS count FROM pg_tables WHERE schemaname = 'parley'",
    url,
  );
  return Number(row?.["count"]);
}

describe("parley migrate", () => {
  it("says with --dry-run what it would do, does it, and then has nothing to do", async () => {
    const url = await postgres.createDatabase();
    const planned = await parley({ DATABASE_URL: url }, "migrate", "--dry-run");
    expect(planned).toMatchObject({ status: 0, stderr: "" });
    expect(planned.stdout).toMatch(/^The schema would go from version 0 to \d+:\n {2}/);
    expect(await countTables(url)).toBe(0);

    const done = await parley({}, "migrate", "--store", url);
    expect(done).toMatchObject({ status: 0, stderr: "" });
    expect(done.stdout).toMatch(/^The schema went from version 0 to \d+:\n/);
    expect(await countTables(url)).toBeGreaterThan(3);

    const again = await parley({ DATABASE_URL: url }, "migrate");
    expect(again).toMatchObject({ status: 0, stderr: "" });
    expect(again.stdout).toMatch(/^The schema is up to date: version \d+\n$/);
  });
});

describe("a cluster", () => {
  it("says where it keeps tasks without the password, lists its nodes, and drains one", async () => {
    const url = await postgres.createDatabase();
    const first = await openNode(url);
    const second = await openNode(url);
    expect(first.said).toMatch(/^Store: postgres(?:ql)? 127\.0\.0\.1:\d+\/test_\d+$/m);
    expect(first.said).toMatch(/^Bus: postgres 127\.0\.0\.1:\d+\/test_\d+$/m);
    expect(first.said).not.toContain("secret");

    const table = await parley({ DATABASE_URL: url }, "cluster", "status");
    expect(table).toMatchObject({ status: 0, stderr: "" });
    const lines = table.stdout.trim().split("\n");
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatch(
      /^SLOT +NODE +AGENT +REVISION +VERSION +ADDRESS +LEASE +DRAINING +TASKS$/,
    );
    for (const { address } of [first, second]) {
      expect(lines.some((line) => new RegExp(` ${address} +\\d+\\.\\ds +no +0$`).test(line))).toBe(
        true,
      );
    }

    const drained = await parley({ DATABASE_URL: url }, "drain", first.address);
    expect(drained).toMatchObject({ status: 0, stderr: "0 tasks are left\n" });
    const json = await parley({ DATABASE_URL: url }, "cluster", "status", "--json");
    const nodes = JSON.parse(json.stdout) as {
      address: string;
      isDraining: boolean;
      node: string;
    }[];
    expect(nodes.filter(({ isDraining }) => isDraining)).toMatchObject([
      { address: first.address },
    ]);
    expect(drained.stdout).toBe(`Drained: ${nodes.find((one) => one.isDraining)?.node}\n`);

    const undone = await parley({ DATABASE_URL: url }, "drain", first.address, "--undo");
    expect(undone).toMatchObject({ status: 0, stderr: "" });
    expect(undone.stdout).toMatch(/^Takes tasks again: \S+\n$/);
    expect(await Promise.all([first.stop(), second.stop()])).toEqual([0, 0]);
    const empty = await parley({ DATABASE_URL: url }, "cluster", "status");
    expect(empty).toMatchObject({ status: 0, stdout: "" });
    expect(empty.stderr).toMatch(
      /^No node has a lease in postgres(?:ql)? 127\.0\.0\.1:\d+\/test_\d+\n$/,
    );
  });
});

describe("a database that cannot be used", () => {
  const commands = [
    ["serve", "--port", "0", "--no-grpc"],
    ["migrate"],
    ["cluster", "status"],
    ["drain", "pod-1"],
  ];

  /** One line that says what to do, and exit code 1. */
  function expectLine(
    { status, stdout, stderr }: Awaited<ReturnType<typeof parley>>,
    reason: RegExp,
  ): void {
    expect(stdout).toBe("");
    expect(stderr).toMatch(/^Error: [^\n]+\n$/);
    expect(stderr).toMatch(reason);
    expect(stderr).not.toContain("secret");
    expect(status).toBe(1);
  }

  it.each(commands)("with a wrong password is named by %s %s", async (...args) => {
    const url = new URL(postgres.url);
    url.password = "wrong-secret";
    const named = args.filter((one) => one !== undefined);
    expectLine(await parley({ DATABASE_URL: url.href }, ...named), /password/);
  });

  it.each(commands)("at an address where nobody listens is named by %s %s", async (...args) => {
    const url = "postgres://ann:secret@127.0.0.1:1/agents";
    const named = args.filter((one) => one !== undefined);
    expectLine(await parley({ DATABASE_URL: url }, ...named), /127\.0\.0\.1:1\b/);
  });

  it.each(commands)("that does not exist is named by %s %s", async (...args) => {
    const url = new URL(postgres.url);
    url.pathname = "/nobody_made_this";
    const named = args.filter((one) => one !== undefined);
    expectLine(await parley({ DATABASE_URL: url.href }, ...named), /nobody_made_this/);
  });

  it.each(commands.slice(2))("without tables is left without them by %s %s", async (...args) => {
    const url = await postgres.createDatabase();
    expectLine(await parley({ DATABASE_URL: url }, ...args), /parley migrate/);
    expect(await countTables(url)).toBe(0);
  });
});
