import { expect, test } from "vitest";
import type { Authenticator } from "@parley/a2a/auth";
import { createFetchHandler } from "@parley/a2a/http";
import type { Mount } from "@parley/a2a/http";
import { agent, openRuntime } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { apiKey, createAuthenticator, createKey } from "@parley/a2a/auth";
import { jsonOf, rpc, say, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

const whoami = (name: string) =>
  agent({
    name,
    description: "Says who calls",
    skills: [{ name: "Tell", id: "tell" }],
    run: ({ caller }) => caller?.subject ?? "nobody",
  });

async function keyring(name: string) {
  const { key, hash } = await createKey();
  const keys = [{ subject: `user of ${name}`, hash, scopes: ["tell"] }];
  const auth = createAuthenticator({
    schemes: { [name]: apiKey({ in: "header", name: "X-API-Key", keys }) },
    skills: { tell: [{ [name]: ["tell"] }] },
  });
  return { key, auth };
}

test("agents of one server have callers of their own", async () => {
  const [one, two] = [await keyring("one"), await keyring("two")];
  await using server = await openServer({
    auth: one.auth,
    agent: {
      "/one": whoami("One"),
      "/two": { agent: whoami("Two"), auth: two.auth },
      "/open": { agent: whoami("Open"), auth: false },
    },
  });
  const ask = async (path: string, key?: string) => {
    const headers = key === undefined ? {} : { "X-API-Key": key };
    const options = rpc("SendMessage", say("?"), headers);
    const { result, error } = jsonOf(await send(server.url, `POST ${path}`, options));
    return result?.message.parts[0].text ?? error.code;
  };
  expect(await ask("/one", one.key)).toBe("one#user of one");
  expect(await ask("/two", two.key)).toBe("two#user of two");
  expect(await ask("/one", two.key)).toBe(-32000);
  expect(await ask("/two", one.key)).toBe(-32000);
  expect(await ask("/two")).toBe(-32000);
  expect(await ask("/open")).toBe("nobody");

  const schemesOf = async (path: string) => {
    const card = jsonOf(await send(server.url, `GET ${path}/.well-known/agent-card.json`));
    return Object.keys(card.securitySchemes ?? {});
  };
  expect(await schemesOf("/one")).toEqual(["one"]);
  expect(await schemesOf("/two")).toEqual(["two"]);
  expect(await schemesOf("/open")).toEqual([]);
});

test("anonymous callers of an open agent list their tasks as if there were no other agent", async () => {
  const { auth } = await keyring("one");
  await using server = await openServer({
    agent: { "/one": { agent: whoami("One"), auth }, "/open": whoami("Open") },
  });
  const { result } = jsonOf(await send(server.url, "POST /open", rpc("ListTasks", {})));
  expect(result.tasks).toEqual([]);
});

test("a skill that is required something for and is not there stops the server from starting", async () => {
  const { auth } = await keyring("one");
  const silent = agent({ name: "Silent", description: "Says nothing", run: () => "" });
  await expect(openServer({ agent: silent, auth })).rejects.toThrowError(
    "Silent has no skill tell",
  );
});

test("agents of different tenants at one path have callers of their own", async () => {
  const [one, two] = [await keyring("one"), await keyring("two")];
  const store = createMemoryStore();
  const open = (name: string) => openRuntime({ agent: whoami(name), store });
  const runtimes = [await open("One"), await open("Two")] as const;
  const mount = (index: 0 | 1, tenant: string, auth: Authenticator): Mount => ({
    agent: runtimes[index],
    tenant,
    auth,
  });
  const fetch = createFetchHandler({
    mounts: [mount(0, "acme", one.auth), mount(1, "globex", two.auth)],
  });
  const ask = async (tenant: string, key?: string) => {
    const headers = {
      "Content-Type": "application/json",
      "A2A-Version": "1.0",
      ...(key !== undefined && { "X-API-Key": key }),
    };
    const params = { tenant, ...say("?") };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "SendMessage", params });
    const response = await fetch(new Request("http://x/", { method: "POST", headers, body }));
    const { result } = jsonOf({ text: await response.text() });
    return (
      result?.message.parts[0].text ?? [response.status, response.headers.get("www-authenticate")]
    );
  };
  const refused = [401, 'ApiKey realm="A2A", in="header", name="X-API-Key"'];
  expect(await ask("acme", one.key)).toBe("one#user of one");
  expect(await ask("globex", two.key)).toBe("two#user of two");
  expect(await ask("acme", two.key)).toEqual(refused);
  expect(await ask("globex", one.key)).toEqual(refused);
  expect(await ask("globex")).toEqual(refused);
  await Promise.all(runtimes.map((runtime) => runtime.close()));
});
