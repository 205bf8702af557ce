import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openCliServer } from "../support/servers/open-cli-server.js";
import { jsonOf, send } from "../support/clients/http-client.js";
import { openFolder } from "../support/files/open-folder.js";
import { exchangeBytes, statusIn } from "../support/clients/raw-socket.js";
import { tlsPath } from "../support/files/tls.js";
import { verifies } from "../spec/verifies.js";

const bin = fileURLToPath(new URL("../../../cli/dist/main.js", import.meta.url));

it("is not served to everyone who reaches the machine by mistake", async () => {
  await using folder = await openFolder();
  const args = ["serve", "--port", "0", "--no-grpc", "--host", "0.0.0.0"];
  const store = ["--store", join(folder.path, "tasks.db")];
  const { status, stderr } = spawnSync(process.execPath, [bin, ...args, ...store], {
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^Error: "Parley demo" would be open to everyone .*--allow-anonymous\)\n$/,
  );
});

it("is when that is allowed, and says so", async () => {
  await using folder = await openFolder();
  const store = join(folder.path, "tasks.db");
  await using server = await openCliServer(store, "--host", "0.0.0.0", "--allow-anonymous");
  const url = server.url.replace("0.0.0.0", "127.0.0.1");
  const headers = { Host: "any.example" };
  expect((await send(url, "GET /tasks", { headers })).status).toBe(200);
  expect(server.stderr()).toContain("no authentication");
});

it("writes down decisions with the addresses that trusted proxies tell", async () => {
  await using folder = await openFolder();
  const path = join(folder.path, "audit.jsonl");
  const store = join(folder.path, "tasks.db");
  const behind = ["--trust-proxy", "loopback", "--public-host", "agents.example"];
  await using server = await openCliServer(store, "--audit-log", path, ...behind);
  // A page whose name was made to lead to this machine calls from this machine, as a proxy does.
  const rebound = await send(server.url, "GET /tasks", { headers: { Host: "evil.example" } });
  expect(rebound.status).toBe(421);
  const headers = { "X-Forwarded-For": "198.51.100.7", "X-Forwarded-Host": "agents.example" };
  await send(server.url, "GET /tasks", { headers });
  const card = await send(server.url, "GET /.well-known/agent-card.json", { headers });
  expect(jsonOf(card).url).toBe("http://agents.example");
  expect(await server.stop("SIGTERM")).toBe(0);
  expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject({
    decision: "authorization",
    operation: "listTasks",
    address: "198.51.100.7",
  });
});

it("is served over TLS with a certificate", async () => {
  verifies("auth:in-task-secure-channel");
  await using folder = await openFolder();
  const options = ["--tls-cert", tlsPath("localhost-cert"), "--tls-key", tlsPath("localhost-key")];
  await using server = await openCliServer(join(folder.path, "tasks.db"), ...options);
  expect(server.url).toMatch(/^https:/);
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${server.url}/tasks`, { rejectUnauthorized: false }, resolve).on("error", reject);
  });
  answer.resume();
  expect(answer.statusCode).toBe(200);
});

it("reads requests strictly even where node is told not to", async () => {
  await using folder = await openFolder();
  const store = join(folder.path, "tasks.db");
  await using server = await openCliServer(store, { NODE_OPTIONS: "--insecure-http-parser" });
  const smuggled =
    "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n" +
    "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
  const port = Number(new URL(server.url).port);
  expect(statusIn(await exchangeBytes(port, smuggled))).toBe(400);
});
