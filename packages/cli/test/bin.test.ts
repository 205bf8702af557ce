import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished, test } from "vitest";

const bin = fileURLToPath(new URL("../dist/main.js", import.meta.url));

function parley(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args], {
    encoding: "utf8",
    // A server that starts by mistake would run for ever.
    timeout: 120_000,
  });
  return { status, stdout, stderr };
}

test("the compiled program prints its version", () => {
  expect(parley("--version")).toEqual({
    status: 0,
    stdout: expect.stringMatching(/^parley \d/),
    stderr: "",
  });
});

test("the compiled program exits with 2 for a usage error", () => {
  expect(parley("frobnicate")).toEqual({
    status: 2,
    stdout: "",
    stderr: "Error: there is no command frobnicate\nHint: parley help\n",
  });
});

test.each([
  "example.com",
  "ftp://example.com",
  "https://example.com/a?b=c",
  "https://example.com#a",
])("a public URL that paths cannot be put behind is a usage error: %s", (url) => {
  const { status, stderr } = parley("serve", "--public-url", url);
  expect(status).toBe(2);
  expect(stderr).toContain(`not ${url}\n`);
});

test("the last port is as good as others, though none comes after it", () => {
  const { stderr } = parley("serve", "--port", "65535", "--public-url", "no");
  expect(stderr).toContain("Error: --public-url");
});

async function openFolder(): Promise<AsyncDisposable & { readonly store: string }> {
  const path = await mkdtemp(join(tmpdir(), "parley-"));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true });
  return { store: join(path, "tasks.db"), [Symbol.asyncDispose]: remove };
}

describe("a port that is taken", () => {
  it.each<[string, (taken: number) => readonly string[], string]>([
    [
      "is that of gRPC, after that of HTTP: another --port helps, whoever has the two",
      (taken) => ["--port", `${taken - 1}`],
      ", the default for gRPC, is in use; choose other ports with --port, or only that of gRPC with --grpc-port",
    ],
    [
      "was chosen for gRPC",
      (taken) => ["--port", "0", "--grpc-port", `${taken}`],
      " is in use; choose another with --grpc-port",
    ],
    [
      "was chosen for HTTP",
      (taken) => ["--port", `${taken}`, "--no-grpc"],
      " is in use; choose another with --port",
    ],
  ])("%s", async (_, options, reason) => {
    await using folder = await openFolder();
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const { status, stderr } = parley("serve", ...options(port), "--store", folder.store);
    server.close();
    expect(status).toBe(1);
    expect(stderr).toBe(`Error: port ${port}${reason}\n`);
  });
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
    expect(stderr).toBe("Stopping\n");
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
