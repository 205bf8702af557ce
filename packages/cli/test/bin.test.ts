import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { runHere } from "./run-here.js";
import { eventsIn, quietLife } from "../../a2a/test/support/read-log.js";

/** What npm links as `parley`. */
const bin = fileURLToPath(new URL("../bin/parley.js", import.meta.url));

test("npx parley runs in a clone, although npm links it before it is compiled", () => {
  const linked = fileURLToPath(new URL("../../../node_modules/.bin/parley", import.meta.url));
  const { status, stdout } = spawnSync(linked, ["--version"], { encoding: "utf8" });
  expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringMatching(/^parley \d/) });
});

test("the compiled program exits with 2 for a usage error", () => {
  const ran = spawnSync(process.execPath, [bin, "serve", "--prot", "1"], { encoding: "utf8" });
  expect(ran).toMatchObject({
    status: 2,
    stdout: "",
    stderr: "Error: there is no option --prot; did you mean --port?\nHint: parley help serve\n",
  });
});

test.each([
  "example.com",
  "ftp://example.com",
  "https://example.com/a?b=c",
  "https://example.com#a",
])("a public URL that paths cannot be put behind is a usage error: %s", async (url) => {
  const { code, stderr } = await runHere("serve", "--public-url", url);
  expect(code).toBe(2);
  expect(stderr).toContain(`not ${url}\n`);
});

test("the last port is as good as others, though none comes after it", async () => {
  const { stderr } = await runHere("serve", "--port", "65535", "--public-url", "no");
  expect(stderr).toContain("Error: --public-url");
});

async function openFolder(): Promise<AsyncDisposable & { readonly store: string }> {
  const path = await mkdtemp(join(tmpdir(), "parley-"));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true });
  return { store: join(path, "tasks.db"), [Symbol.asyncDispose]: remove };
}

/** Listens on a port, as another program would. */
async function occupy(): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, "close");
    },
  };
}

/** Listens on a port whose predecessor nobody uses: other tests open servers at the same time. */
async function occupyAfterFree(): Promise<AsyncDisposable & { readonly port: number }> {
  for (;;) {
    const taken = await occupy();
    const before = createServer().listen(taken.port - 1, "127.0.0.1");
    const isFree = await once(before, "listening").then(
      () => true,
      () => false,
    );
    before.close();
    if (isFree) return taken;
    await taken[Symbol.asyncDispose]();
  }
}

describe("a port that is taken", () => {
  it.each<[string, (taken: number) => readonly string[], string]>([
    ["is that of gRPC, after that of HTTP", (taken) => ["--port", `${taken - 1}`], "--grpc-port"],
    ["was chosen for gRPC", (taken) => ["--port", "0", "--grpc-port", `${taken}`], "--grpc-port"],
    ["was chosen for HTTP", (taken) => ["--port", `${taken}`, "--no-grpc"], "--port"],
    [
      "is named before that of gRPC, which may be taken by the same program",
      (taken) => ["--port", `${taken}`],
      "--port",
    ],
  ])("%s", async (_, options, flag) => {
    await using folder = await openFolder();
    await using taken = await occupyAfterFree();
    const args = ["serve", ...options(taken.port), "--store", folder.store];
    const { code, stderr } = await runHere(...args);
    expect(code).toBe(1);
    expect(stderr).toBe(
      `Error: port ${taken.port} is in use; choose another with ${flag} or stop the other program\n`,
    );
  });

  it("leaves a store untouched that the other program may be using", async () => {
    await using folder = await openFolder();
    await using taken = await occupy();
    await runHere("serve", "--port", `${taken.port}`, "--store", folder.store);
    expect(existsSync(folder.store)).toBe(false);
  });

  it("is named by a second server on the same two ports", async () => {
    await using folder = await openFolder();
    const args = ["serve", "--port", "0", "--store", folder.store];
    const first = spawn(process.execPath, [bin, ...args], { stdio: ["ignore", "pipe", "ignore"] });
    onTestFinished(() => void first.kill("SIGKILL"));
    let stdout = "";
    for await (const text of first.stdout.setEncoding("utf8")) {
      stdout += String(text);
      if (stdout.includes("Try:")) break;
    }
    const [, port = ""] = /Card: http:\/\/127\.0\.0\.1:(\d+)/.exec(stdout) ?? [];
    const [, grpcPort = ""] = /gRPC: 127\.0\.0\.1:(\d+)/.exec(stdout) ?? [];
    const ports = ["--port", port, "--grpc-port", grpcPort];
    const second = await runHere("serve", ...ports, "--store", folder.store);
    expect(second.stderr).toBe(
      `Error: port ${port} is in use; choose another with --port or stop the other program\n`,
    );
  });
});

test.each([
  [[], []],
  [["--grpc-in-card"], ["GRPC 1.0", "GRPC 0.3", "GRPC 0.2"]],
])("serve %j lists %j in its card", async (more, listed) => {
  await using folder = await openFolder();
  const args = [bin, "serve", "--port", "0", "--store", folder.store, ...more];
  const server = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void server.kill("SIGKILL"));
  let stdout = "";
  for await (const text of server.stdout.setEncoding("utf8")) {
    stdout += String(text);
    if (stdout.includes("Try:")) break;
  }
  const [, url = ""] = /Card: (\S+)/.exec(stdout) ?? [];
  const { supportedInterfaces } = (await (await fetch(url)).json()) as {
    supportedInterfaces: { protocolBinding: string; protocolVersion: string }[];
  };
  const interfaces = supportedInterfaces.map(
    (one) => `${one.protocolBinding} ${one.protocolVersion}`,
  );
  expect(interfaces.filter((one) => one.startsWith("GRPC"))).toEqual(listed);
});

test.each<[string, readonly string[], string]>([
  [
    "a port that is no number",
    ["--port", "abc"],
    "--port must be a number from 0 to 65535, not abc",
  ],
  [
    "a port beyond the last",
    ["--port", "70000"],
    "--port must be a number from 0 to 65535, not 70000",
  ],
  [
    "one port for two",
    ["--port", "4", "--grpc-port", "4"],
    "--port and --grpc-port are both 4; choose two ports",
  ],
  [
    "a card with gRPC but no gRPC",
    ["--port", "0", "--no-grpc", "--grpc-in-card"],
    "--grpc-in-card needs gRPC; leave out --no-grpc",
  ],
  ["an empty host", ["--host", ""], "--host is empty; give a value"],
  ["an empty store", ["--store", ""], "--store is empty; give a value"],
  [
    "a grace that is no time",
    ["--stop-grace", "-1"],
    "--stop-grace must be a number of seconds up to 86400, not -1",
  ],
  [
    "a retention that is no duration",
    ["--retention", "soon"],
    "--retention must be a duration such as 7d, 12h, 30m or 45s, not soon",
  ],
  [
    "a retention of waiting tasks without a unit",
    ["--waiting-retention", "5"],
    "--waiting-retention must be a duration such as 7d, 12h, 30m or 45s, not 5",
  ],
  [
    "a longest wait without a unit",
    ["--max-wait", "5"],
    "--max-wait must be a duration such as 7d, 12h, 30m or 45s, not 5",
  ],
  [
    "an origin without its scheme",
    ["--cors", "page.example"],
    '--cors is "page.example"; expected an origin with its scheme: "https://page.example"',
  ],
])("%s is a usage error", async (_, options, reason) => {
  const [name = "", value = ""] = options;
  const args = options.length === 2 ? [`${name}=${value}`] : options;
  expect(await runHere("serve", ...args)).toEqual({
    code: 2,
    stdout: "",
    stderr: `Error: ${reason}\nHint: parley help serve\n`,
  });
});

test("an address of another machine is refused with the option that sets it", async () => {
  await using folder = await openFolder();
  const host = ["--host", "192.0.2.1", "--allow-anonymous"];
  const args = ["serve", "--port", "0", ...host, "--store", folder.store];
  const { code, stderr } = await runHere(...args);
  expect(code).toBe(1);
  expect(stderr).toContain(
    "Error: this machine has no address 192.0.2.1; choose another with --host\n",
  );
});

test("a store that is a folder is refused with what to write instead", async () => {
  await using folder = await openFolder();
  const path = dirname(folder.store);
  const { code, stderr } = await runHere("serve", "--port", "0", "--no-grpc", "--store", path);
  expect(code).toBe(1);
  expect(stderr).toBe(
    `Error: cannot open the store ${path}: it is a folder; choose a file in it, such as ${join(path, "parley.db")}\n`,
  );
});

test.skipIf(process.platform === "win32")(
  "the server ends with the shell that npm starts it in, which passes no signal on",
  async () => {
    await using folder = await openFolder();
    const args = [bin, "serve", "--port", "0", "--no-grpc", "--store", folder.store];
    const shell = spawn("sh", ["-c", '"$@"; true', "sh", process.execPath, ...args], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, npm_lifecycle_event: "start" },
      detached: true,
    });
    onTestFinished(() => stopGroup(shell.pid));
    let stderr = "";
    shell.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    await once(shell.stdout, "data");
    shell.kill("SIGTERM");
    // The server has the other end of the pipe, too.
    await once(shell.stderr, "end");
    expect(eventsIn(stderr)).toEqual(quietLife);
  },
);

/** Nothing is left behind, whatever the test found. */
function stopGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, "SIGKILL");
  } catch {
    // All have ended.
  }
}

it("serves by the letter with --strict, and says how to call it", async () => {
  await using folder = await openFolder();
  const args = ["serve", "--port", "0", "--no-grpc", "--strict", "--store", folder.store];
  const server = spawn(process.execPath, [bin, ...args], { stdio: ["ignore", "pipe", "ignore"] });
  onTestFinished(() => void server.kill("SIGKILL"));
  let stdout = "";
  for await (const text of server.stdout.setEncoding("utf8")) {
    stdout += String(text);
    if (stdout.includes("Try:")) break;
  }
  const [, url = ""] = /Card: (.*)\/\.well-known/.exec(stdout) ?? [];
  const [, body = ""] = /Try: .* -H 'A2A-Version: 1\.0' -d '(.*)'/.exec(stdout) ?? [];
  const answer = async (version: Record<string, string>): Promise<string> => {
    const headers = { "Content-Type": "application/json", ...version };
    return (await fetch(url, { method: "POST", headers, body })).text();
  };
  expect(await answer({ "A2A-Version": "1.0" })).toContain("hello");
  expect(await answer({})).toContain("-32009");
});
