import { spawnSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { get } from "node:https";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { openCliServer } from "../support/servers/open-cli-server.js";
import { jsonOf, rpc, say, sayEarlier, send } from "../support/clients/http-client.js";
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

it("lets pages of the origins call that it is told, and no others", async () => {
  await using folder = await openFolder();
  const origins = ["--cors", "https://page.example", "--cors", "https://other.example"];
  await using server = await openCliServer(folder.file(), ...origins);
  const allowed = async (origin: string): Promise<string | undefined> => {
    const headers = { Origin: origin, "Access-Control-Request-Method": "POST" };
    const answer = await send(server.url, "OPTIONS /", { headers });
    return answer.headers["access-control-allow-origin"];
  };
  expect(await allowed("https://page.example")).toBe("https://page.example");
  expect(await allowed("https://other.example")).toBe("https://other.example");
  expect(await allowed("https://evil.example")).toBeUndefined();
});

it("lets callers before 1.0 wait for as long as it is told", async () => {
  await using folder = await openFolder();
  await using server = await openCliServer(folder.file(), "--max-wait", "0.1s");
  const { json } = rpc("message/send", sayEarlier("wait 60"));
  const { result } = jsonOf(await send(server.url, "POST /", { json }));
  expect(result.status.state).toBe("working");
});

it("fails tasks that have waited for as long as it is told, and deletes them later", async () => {
  await using folder = await openFolder();
  const times = ["--waiting-retention", "1s", "--retention", "2s"];
  await using server = await openCliServer(folder.file(), ...times);
  const sent = await send(server.url, "POST /message:send", { json: say("flight") });
  const { id, status } = jsonOf(sent).task;
  expect(status.state).toBe("TASK_STATE_INPUT_REQUIRED");
  const read = (): ReturnType<typeof send> => send(server.url, `GET /tasks/${id}`);
  await expect.poll(async () => (await read()).text).toContain("Nobody answered within 1 second.");
  await expect.poll(async () => (await read()).status).toBe(404);
});

it("has an extended card for those who show the key, and nothing for others", async () => {
  await using folder = await openFolder();
  const key = "a-key-that-is-long-enough-to-be-one";
  await using server = await openCliServer(folder.file(), { PARLEY_API_KEY: key });
  const route = "GET /extendedAgentCard";
  const refused = await send(server.url, route, { headers: { "X-API-Key": "another" } });
  expect(refused.status).toBe(401);
  const headers = { "X-API-Key": key };
  const card = jsonOf(await send(server.url, route, { headers }));
  expect(card.description).toContain("You are key#demo.");
  const idsOf = ({ skills }: { skills: { id: string }[] }) => skills.map(({ id }) => id);
  expect(idsOf(card)).toContain("whoami");
  const shown = jsonOf(await send(server.url, "GET /.well-known/agent-card.json"));
  expect(shown.capabilities.extendedAgentCard).toBe(true);
  expect(idsOf(shown)).not.toContain("whoami");
  const answer = await send(server.url, "POST /message:send", { headers, json: say("whoami") });
  expect(jsonOf(answer).message.parts).toEqual([{ text: "You are key#demo." }]);
});
