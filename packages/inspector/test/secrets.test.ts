import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { agent } from "@parley/a2a";
import { createAuthenticator, httpBearer, invalid, known } from "@parley/a2a/auth";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import type { CallAnswer, Connection, Hop, HopPage } from "@parley/inspector/contract";
import { openTestPage } from "./support/inspector-client.js";
import type { TestPage } from "./support/inspector-client.js";
import { sendExactly } from "./support/send-exactly.js";
import type { Sent } from "./support/send-exactly.js";

let server: Server;
let page: TestPage;
const canaries = {
  bearer: "canary-bearer-8f1d",
  header: "canary-header-77aa",
  push: "canary-push-c0de",
};
const told: unknown[] = [];

const echo = agent({
  name: "Echo",
  description: "Says what it hears",
  capabilities: { pushNotifications: true },
  async *run({ text }) {
    yield text;
  },
});

beforeAll(async () => {
  server = await serve(echo, {
    port: 0,
    store: "memory:",
    auth: createAuthenticator({
      schemes: {
        bearer: httpBearer({
          verify: async (token) =>
            token === canaries.bearer ? known({ subject: "ada" }) : invalid("another token"),
        }),
      },
    }),
    push: { allowPrivate: true },
  });
  page = await openTestPage({ report: (error) => told.push(error) });
});

afterAll(async () => {
  await page[Symbol.asyncDispose]();
  await server.close();
});

const send = (sent: Sent): ReturnType<typeof sendExactly> => sendExactly(page.inspector.port, sent);

test("calls no address of a card that is none of the network", async () => {
  const card = {
    name: "Bad",
    description: "Leads elsewhere",
    version: "1",
    capabilities: {},
    skills: [],
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    supportedInterfaces: [
      { url: "file:///etc/passwd", protocolBinding: "JSONRPC", protocolVersion: "1.0" },
      { url: "javascript:alert(1)", protocolBinding: "HTTP+JSON", protocolVersion: "1.0" },
    ],
  };
  const { createServer } = await import("node:http");
  const bad = createServer((_, response) =>
    response.writeHead(200, { "Content-Type": "application/json" }).end(JSON.stringify(card)),
  );
  await new Promise<void>((resolve) => bad.listen(0, "127.0.0.1", resolve));
  try {
    const { port } = bad.address() as { port: number };
    const body = JSON.stringify({ url: `http://127.0.0.1:${port}` });
    const response = await page.request("connections", { method: "POST", body });
    expect(response.status).toBe(502);
    expect(await response.text()).toContain("file:///etc/passwd is no address");
    const file = JSON.stringify({ url: "file:///etc/passwd" });
    const refused = await page.request("connections", { method: "POST", body: file });
    expect([refused.status, await refused.text()]).toEqual([
      502,
      expect.stringContaining("names no agent"),
    ]);
  } finally {
    bad.close();
  }
});

async function connectWithSecrets(): Promise<Connection> {
  return page.connect(server.url, {
    secrets: { bearer: { value: canaries.bearer } },
    headers: { "X-Own": canaries.header },
  });
}

test("sends raw bytes to the origin of the connection, and to no other", async () => {
  const { id } = await connectWithSecrets();
  const raw = (url: string): Promise<Response> =>
    page.request(`connections/${id}/raw`, {
      method: "POST",
      body: JSON.stringify({ method: "GET", url, headers: [["Authorization", "[redacted]"]] }),
    });
  for (const url of [
    "http://127.0.0.1:9/",
    "https://evil.example/",
    "file:///etc/passwd",
    "//evil.example/",
    `http://evil.example@127.0.0.1:9/`,
  ]) {
    expect([url, (await raw(url)).status]).toEqual([url, 403]);
  }
  const { hop } = (await (await raw("/.well-known/agent-card.json")).json()) as { hop: number };
  expect(await page.ask<Hop>(`hops/${hop}`)).toMatchObject({ status: 200, method: "GET" });
});

test("keeps every secret out of what it shows, tells and saves", async () => {
  const output = vi.spyOn(console, "error").mockImplementation((...said) => void told.push(said));
  try {
    const connection = await connectWithSecrets();
    expect(connection.secrets).toEqual(["bearer"]);
    const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "hello" }] };
    const { url } = await page.ask<{ url: string }>("receiver", { token: canaries.push });
    const taskPushNotificationConfig = {
      url,
      token: canaries.push,
      authentication: { scheme: "Bearer", credentials: canaries.push },
    };
    const answer = await page.ask<CallAnswer<"sendMessage">>(`connections/${connection.id}/call`, {
      operation: "sendMessage",
      request: { message, configuration: { taskPushNotificationConfig } },
    });
    const taskId = "result" in answer ? answer.result.task?.id : undefined;
    expect(taskId).toBeDefined();
    await page.ask(`connections/${connection.id}/call`, {
      operation: "listTaskPushNotificationConfigs",
      request: { taskId },
    });
    await page.stream(connection.id, "streamed");
    await page.ask(`connections/${connection.id}/probe`, {});
    const { hops } = await page.ask<HopPage>("hops");
    const whole = await Promise.all(hops.map(({ id }) => page.ask<Hop>(`hops/${id}`)));
    expect(JSON.stringify(whole)).toContain("[redacted]");
    await expect
      .poll(async () => JSON.stringify(await page.ask("deliveries")))
      .toContain("signature");
    const seen = {
      connection: JSON.stringify(connection),
      connections: JSON.stringify(await page.ask("connections")),
      hops: JSON.stringify(whole),
      feed: JSON.stringify(page.feed()),
      deliveries: JSON.stringify(await page.ask("deliveries")),
      receiver: JSON.stringify(await page.ask("receiver")),
      saved: await (await page.request("recording")).text(),
      told: JSON.stringify(told),
    };
    expect(seen.saved.split("\n")[0]).toContain('{"kind":"recording","format":1');
    for (const [place, text] of Object.entries(seen)) {
      for (const canary of Object.values(canaries)) {
        expect([place, text.includes(canary)]).toEqual([place, false]);
      }
    }
  } finally {
    output.mockRestore();
  }
});

test("shows HTML of an agent once, in a frame without scripts or an origin", async () => {
  const { url } = await page.ask<{ url: string }>("previews", {
    html: "<b onclick=x>hi</b><script>1</script>",
  });
  const site = { "Sec-Fetch-Site": "cross-site" };
  expect((await send({ path: url, headers: site })).status).toBe(403);
  const { url: again } = await page.ask<{ url: string }>("previews", { html: "<b>hi</b>" });
  const shown = await send({ path: again, headers: { "Sec-Fetch-Dest": "iframe" } });
  expect(shown).toMatchObject({ status: 200, text: "<b>hi</b>" });
  expect(String(shown.headers["content-security-policy"])).toMatch(
    /^sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:;/,
  );
  expect((await send({ path: again })).status).toBe(410);
});
