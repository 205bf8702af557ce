import { describe, expect, it } from "vitest";
import { apiKey, createAuthenticator, createKey } from "@parley/a2a/auth";
import { agent } from "@parley/a2a/server";
import { call, jsonOf, rpc, say, send } from "../support/clients/http-client.js";
import type { Answer } from "../support/clients/http-client.js";
import { exchangeBytes, statusIn } from "../support/clients/raw-socket.js";
import { openServer } from "../support/servers/open-server.js";
import type { ServerOptions } from "../support/servers/open-server.js";

const page = "https://page.example";
const webhook = "https://receiver.example/hook";

/** Asks before it goes on, so that its tasks can be canceled, and sends push notifications. */
const asking = agent({
  name: "Asking",
  description: "Waits for an answer",
  capabilities: { pushNotifications: true },
  async run({ ask }) {
    await ask("Which?");
    return "done";
  },
});

/** An open server on this machine with a task that waits. */
async function openWaiting(options: ServerOptions = {}) {
  const server = await openServer({
    agent: asking,
    push: { resolve: async () => [{ address: "93.184.215.14", family: 4 }] },
    ...options,
  });
  const { result } = await call(server.url, "SendMessage", say("go"));
  const { id } = result.task as { readonly id: string };
  const stateOf = async (): Promise<string> =>
    (await call(server.url, "GetTask", { id })).result.status.state;
  return {
    server,
    id,
    stateOf,
    post: (path: string, headers: Readonly<Record<string, string>>): Promise<Answer> =>
      send(server.url, `POST ${path}`, { headers }),
    [Symbol.asyncDispose]: () => server.close(),
  };
}

/** What browsers say of a request that a page of another origin makes. */
const foreign: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["another origin", { Origin: page }],
  ["another port of this machine", { Origin: "http://127.0.0.1:1" }],
  ["no origin of its own", { Origin: "null" }],
  ["another site", { "Sec-Fetch-Site": "cross-site" }],
  ["another site, and its origin", { Origin: page, "Sec-Fetch-Site": "cross-site" }],
  [
    "another origin of this site",
    { Origin: "http://a.localhost:1", "Sec-Fetch-Site": "same-site" },
  ],
  ["another origin of this site, unnamed", { "Sec-Fetch-Site": "same-site" }],
];

describe("a page of another origin", () => {
  it.each(foreign)("cannot cancel a task without a body: %s", async (_, headers) => {
    await using waiting = await openWaiting();
    const answer = await waiting.post(`/tasks/${waiting.id}:cancel`, headers);
    expect(answer.status).toBe(403);
    expect(answer.text).toMatch(/cors/);
    const earlier = await waiting.post(`/v1/tasks/${waiting.id}:cancel`, headers);
    expect(earlier.status).toBe(403);
    expect(await waiting.stateOf()).toBe("TASK_STATE_INPUT_REQUIRED");
  });

  it.each(foreign)("cannot call with a body either: %s", async (_, headers) => {
    await using waiting = await openWaiting();
    for (const [method, version] of [
      ["ListTasks", "1.0"],
      ["tasks/list", "0.3"],
    ] as const) {
      const request = rpc(method, {}, { ...headers, "A2A-Version": version });
      const answer = await send(waiting.server.url, "POST /", request);
      expect(answer.status).toBe(403);
      expect(jsonOf(answer)).toMatchObject({ error: { message: expect.stringMatching(/cors/) } });
    }
  });

  it("cannot register a webhook, nor delete one", async () => {
    await using waiting = await openWaiting();
    const { url } = waiting.server;
    const configs = `/tasks/${waiting.id}/pushNotificationConfigs`;
    const headers = { Origin: page };
    const json = { url: webhook };
    const registered = await send(url, `POST ${configs}`, { headers, json });
    expect(registered.status).toBe(403);
    const { id } = jsonOf(await send(url, `POST ${configs}`, { json }));
    expect((await send(url, `DELETE ${configs}/${id}`, { headers })).status).toBe(403);
    const listed = jsonOf(await send(url, `GET ${configs}`));
    expect(listed.configs).toHaveLength(1);
  });

  it("is refused with credentials, too: a browser may have added them", async () => {
    const { key, hash } = await createKey();
    const keys = [{ subject: "ada", hash }];
    const auth = createAuthenticator({
      schemes: { key: apiKey({ in: "cookie", name: "key", keys }) },
    });
    await using server = await openServer({ agent: asking, auth });
    const cookie = { Cookie: `key=${key}` };
    const { result } = await call(server.url, "SendMessage", say("go"), cookie);
    const path = `/tasks/${result.task.id}:cancel`;
    const headers = { ...cookie, Origin: page };
    expect((await send(server.url, `POST ${path}`, { headers })).status).toBe(403);
    expect((await send(server.url, `POST ${path}`, { headers: cookie })).status).toBe(200);
  });

  it("is refused byte for byte, whatever the letters of its header", async () => {
    await using waiting = await openWaiting();
    const head = `POST /tasks/${waiting.id}:cancel HTTP/1.1\r\nHost: localhost\r\n`;
    const answer = await exchangeBytes(
      waiting.server.port,
      `${head}oRiGiN: ${page}\r\nContent-Length: 0\r\n\r\n`,
    );
    expect(statusIn(answer)).toBe(403);
    expect(await waiting.stateOf()).toBe("TASK_STATE_INPUT_REQUIRED");
  });

  it("may read what is public, and what it cannot see the answer of", async () => {
    await using waiting = await openWaiting();
    for (const path of ["/.well-known/agent-card.json", "/tasks", "/healthz"]) {
      const { status } = await send(waiting.server.url, `GET ${path}`, {
        headers: { Origin: page, "Sec-Fetch-Site": "cross-site" },
      });
      expect(status).toBe(200);
    }
  });

  it.each([[[page]], ["*" as const]])("may call where cors lists it: %j", async (origins) => {
    await using waiting = await openWaiting({ cors: { origins } });
    const headers = { Origin: page, "Sec-Fetch-Site": "cross-site" };
    const answer = await waiting.post(`/tasks/${waiting.id}:cancel`, headers);
    expect(answer.status).toBe(200);
    expect(answer.headers["access-control-allow-origin"]).toBe(origins === "*" ? "*" : page);
    await using another = await openWaiting({ cors: { origins } });
    const other = { Origin: "https://other.example" };
    const { status } = await another.post(`/tasks/${another.id}:cancel`, other);
    expect(status).toBe(origins === "*" ? 200 : 403);
  });
});

describe("a request that no foreign page makes", () => {
  it.each<[string, (url: string) => Readonly<Record<string, string>>]>([
    ["a program's", () => ({})],
    ["one that its user makes", () => ({ "Sec-Fetch-Site": "none" })],
    ["a page's of this server", (url) => ({ Origin: url })],
    ["the same, as browsers say", (url) => ({ Origin: url, "Sec-Fetch-Site": "same-origin" })],
    // The browser has seen both addresses; the server sees only what the proxy made of them.
    [
      "a page's behind a proxy that renames the host",
      () => ({ Origin: page, "Sec-Fetch-Site": "same-origin" }),
    ],
  ])("is answered: %s", async (_, headers) => {
    await using waiting = await openWaiting();
    const { status } = await waiting.post(
      `/tasks/${waiting.id}:cancel`,
      headers(waiting.server.url),
    );
    expect(status).toBe(200);
  });
});

describe("a query", () => {
  it.each(["/tasks/ID", "/v1/tasks/ID", "/v1/task/ID"])(
    "registers no webhook and gives it no secret, below %s",
    async (path) => {
      await using waiting = await openWaiting();
      const { url } = waiting.server;
      const configs = `${path.replace("ID", waiting.id)}/pushNotificationConfigs`;
      const hook = encodeURIComponent(webhook);
      for (const query of [`url=${hook}`, `config=${hook}`, `pushNotificationConfig=${hook}`]) {
        const answer = await send(url, `POST ${configs}?${query}&token=secret`);
        expect(answer.status).toBe(400);
      }
      const json = path.startsWith("/v1") ? { config: { url: webhook } } : { url: webhook };
      // The key of an agent that takes API keys in its query is no token for a webhook.
      const answer = await send(url, `POST ${configs}?token=secret&credentials=x`, { json });
      expect(answer.status).toBe(200);
      expect(answer.text).not.toContain("secret");
      const listed = jsonOf(await send(url, `GET /tasks/${waiting.id}/pushNotificationConfigs`));
      expect(listed.configs).toMatchObject([{ url: webhook }]);
      expect(JSON.stringify(listed.configs)).not.toMatch(/token|authentication/);
    },
  );
});
