import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import { decodeProtectedHeader } from "jose";
import { describe, expect, it, vi } from "vitest";
import { createPushVerifier } from "@parley/a2a/client/push";
import type { PushVerifierOptions } from "@parley/a2a/client/push";
import { createNodeListener, createPushSender, createStoredPushKeys } from "@parley/a2a/node";
import { agent, openRuntime } from "@parley/a2a/server";
import type { Agent } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { demoAgent } from "../../../cli/src/demo-agent.js";
import { jsonOf, rpc, say, send } from "../support/clients/http-client.js";
import { openMounted, waysToMount } from "../support/servers/open-mounted.js";
import type { Mounted, Way } from "../support/servers/open-mounted.js";
import { openReceiver } from "../support/servers/open-receiver.js";
import type { Received, Receiver, ReceiverOptions } from "../support/servers/open-receiver.js";
import { openServer } from "../support/servers/open-server.js";

const local = { allowPrivate: ["127.0.0.0/8"], schemes: ["http"] as const };

const pushing = (name: string): Agent =>
  agent({
    name,
    description: "Pushes",
    capabilities: { pushNotifications: true },
    async *run() {
      yield "done";
    },
  });

/** Mounts the demo agent as docs/push.md says: with a sender, with its keys, and with the URL of the keys. */
function openPushing(way: Way, saysWhere = true): Promise<Mounted> {
  const store = createMemoryStore();
  const keys = createStoredPushKeys(store);
  return openMounted(way, {
    runtime: (url) => {
      const keysUrl = saysWhere ? { keysUrl: `${url}/.well-known/jwks.json` } : {};
      return { store, pushSender: createPushSender({ ...local, keys, ...keysUrl }) };
    },
    http: { publicKeys: () => keys.publicKeys() },
  });
}

/** Registers the receiver with a message to the agent at a URL, and waits for the first notification. */
async function notify(url: string, receiver: Receiver): Promise<Received> {
  const { origin, pathname } = new URL(url);
  const configuration = { taskPushNotificationConfig: { url: `${receiver.url}/hook` } };
  await send(origin, `POST ${pathname}`, rpc("SendMessage", say("task x", {}, configuration)));
  const [first] = await receiver.until(1);
  return first ?? expect.fail("nothing has arrived");
}

/** Where a notification says that its keys are: in its header, and in that of its signature. */
function keysNamedBy({ headers }: Received): readonly unknown[] {
  const signature = String(headers["x-a2a-notification-signature"]);
  return [headers["x-a2a-notification-keys"], decodeProtectedHeader(signature).jku];
}

/** Where a card says that they are. */
async function keysNamedAt(url: string, version = "1.0"): Promise<unknown> {
  const { origin, pathname } = new URL(url);
  const path = `${pathname === "/" ? "" : pathname}/.well-known/agent-card.json`;
  const card = jsonOf(await send(origin, `GET ${path}`, { headers: { "A2A-Version": version } }));
  const extensions = card.capabilities.extensions as { uri: string; params?: { url: string } }[];
  return extensions.find(({ uri }) => uri === "urn:parley:a2a:push-keys:v1")?.params?.url;
}

function verifierOf(receiver: Receiver, options: Pick<PushVerifierOptions, "agent" | "keysUrl">) {
  return createPushVerifier({ url: `${receiver.url}/hook`, ...options });
}

describe.each(waysToMount)("an agent that is mounted in %s", (way) => {
  it("is verified by a receiver that knows only the agent's URL", async () => {
    await using mounted = await openPushing(way);
    await using receiver = await openReceiver();
    const notification = await notify(mounted.url, receiver);
    const { verifyPush } = verifierOf(receiver, { agent: mounted.url });
    expect((await verifyPush(notification)).event).toHaveProperty("task");
    // The rest of the server is not the agent's.
    expect((await send(mounted.origin, "GET /.well-known/jwks.json")).status).toBe(404);
  });

  it("says in its card and in each notification where its keys are", async () => {
    await using mounted = await openPushing(way);
    await using receiver = await openReceiver();
    const keysUrl = `${mounted.url}/.well-known/jwks.json`;
    const notification = await notify(mounted.url, receiver);
    expect(keysNamedBy(notification)).toEqual([keysUrl, keysUrl]);
    for (const version of ["1.0", "0.3"]) {
      expect(await keysNamedAt(mounted.url, version)).toBe(keysUrl);
    }
    const { verifyPush } = verifierOf(receiver, { agent: "https://elsewhere.example", keysUrl });
    await verifyPush(notification);
  });

  it("says so only in its card when its sender was not told", async () => {
    await using mounted = await openPushing(way, false);
    await using receiver = await openReceiver();
    const notification = await notify(mounted.url, receiver);
    expect(keysNamedBy(notification)).toEqual([undefined, undefined]);
    expect(await keysNamedAt(mounted.url)).toBe(`${mounted.url}/.well-known/jwks.json`);
    await verifierOf(receiver, { agent: mounted.url }).verifyPush(notification);
  });
});

it("several agents behind one handler of Express have their keys, cards and health below their paths", async () => {
  const store = createMemoryStore();
  const keys = createStoredPushKeys(store);
  await using travel = await openRuntime({ agent: pushing("Travel"), store });
  await using hotels = await openRuntime({ agent: pushing("Hotels"), store });
  const mounts = [
    { path: "/travel", agent: travel },
    { path: "/hotels", agent: hotels },
    { path: "/hotels", tenant: "acme", agent: hotels },
  ];
  const app = express();
  app.use("/agents", createNodeListener({ mounts, publicKeys: () => keys.publicKeys() }));
  const server = createServer(app).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/agents`;
  const set = await keys.publicKeys();
  for (const path of ["", "/travel", "/hotels", "/hotels/acme"]) {
    expect(await (await fetch(`${url}${path}/.well-known/jwks.json`)).json()).toEqual(set);
    expect((await fetch(`${url}${path}/readyz`)).status).toBe(200);
  }
  expect(await keysNamedAt(`${url}/travel`)).toBe(`${url}/travel/.well-known/jwks.json`);
  expect(await keysNamedAt(`${url}/hotels/acme`)).toBe(`${url}/hotels/.well-known/jwks.json`);
  const list = await fetch(url, { headers: { Accept: "text/html" } });
  expect(await list.text()).toContain(`href="${url}/travel"`);
  server.closeAllConnections();
  server.close();
});

describe("an agent that is served", () => {
  const agents = {
    "/travel": pushing("Travel"),
    "/my hotels": pushing("Hotels"),
    "/plain": agent({ name: "Plain", description: "Does not push", run: () => "hi" }),
  };

  it.each(["/travel", "/my%20hotels"])("beside others has its keys at %s", async (path) => {
    await using server = await openServer({ agent: agents, push: local });
    await using receiver = await openReceiver();
    const url = `${server.url}${path}`;
    const notification = await notify(url, receiver);
    const keysUrl = `${url}/.well-known/jwks.json`;
    expect(keysNamedBy(notification)).toEqual([keysUrl, keysUrl]);
    expect(await keysNamedAt(url)).toBe(keysUrl);
    for (const trusted of [url, `${url}/`, `${url}/.well-known/agent-card.json`, server.url]) {
      await verifierOf(receiver, { agent: trusted }).verifyPush(notification);
    }
  });

  it("says nothing of keys in the card of an agent that does not push", async () => {
    await using server = await openServer({ agent: agents, push: local });
    expect(await keysNamedAt(`${server.url}/plain`)).toBeUndefined();
  });

  it("behind a proxy that removes a path is verified by its public URL", async () => {
    await using proxy = await openProxy("/agents");
    const publicUrl = `${proxy.url}/agents`;
    await using server = await openServer({ agent: agents, push: local, publicUrl });
    proxy.target = server.url;
    await using receiver = await openReceiver();
    const url = `${publicUrl}/travel`;
    const notification = await notify(url, receiver);
    const keysUrl = `${url}/.well-known/jwks.json`;
    expect(keysNamedBy(notification)).toEqual([keysUrl, keysUrl]);
    expect(await keysNamedAt(url)).toBe(keysUrl);
    await verifierOf(receiver, { agent: url }).verifyPush(notification);
  });

  it("names no URL that only it knows: that of any address, or of a server behind a proxy", async () => {
    const warned = vi.spyOn(console, "warn").mockReturnValue();
    for (const options of [
      { host: "0.0.0.0", allowAnonymous: true },
      { trustsProxy: () => false },
    ]) {
      await using server = await openServer({ push: local, ...options });
      await using receiver = await openReceiver();
      const notification = await notify(server.url.replace("0.0.0.0", "127.0.0.1"), receiver);
      expect(keysNamedBy(notification)).toEqual([undefined, undefined]);
    }
    warned.mockRestore();
  });

  it("names the URL that the operator says", async () => {
    const keysUrl = "https://keys.example/jwks.json";
    await using server = await openServer({ push: { ...local, keysUrl } });
    await using receiver = await openReceiver();
    expect(keysNamedBy(await notify(server.url, receiver))).toEqual([keysUrl, keysUrl]);
  });
});

it("a sender does not take what no receiver could fetch for the URL of its keys", () => {
  for (const keysUrl of ["agents.example", "/.well-known/jwks.json", "ftp://keys.example"]) {
    expect(() => createPushSender({ keysUrl })).toThrow(
      `createPushSender: keysUrl is "${keysUrl}"; expected a URL such as https://`,
    );
  }
});

describe("a verifier", () => {
  /** A place that is no agent's, and what it was asked. */
  async function openPlace(answer: ReceiverOptions["answer"]) {
    const place = await openReceiver(answer === undefined ? {} : { answer });
    const asked = (): readonly string[] => place.received.map(({ path }) => path);
    return Object.assign(place, { asked });
  }

  it("never asks the URL that a notification names", async () => {
    await using attacker = await openPlace((response) => response.end('{"keys":[]}'));
    const keysUrl = `${attacker.url}/jwks.json`;
    await using forged = await openServer({ push: { ...local, keysUrl } });
    await using receiver = await openReceiver();
    const notification = await notify(forged.url, receiver);
    await using honest = await openServer();
    const { verifyPush } = verifierOf(receiver, { agent: honest.url });
    await expect(verifyPush(notification)).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
      message: `this notification is refused: the agent has no key with its key id (${honest.url}/.well-known/jwks.json)`,
    });
    expect(attacker.asked()).toEqual([]);
  });

  it("follows no redirect to keys", async () => {
    await using attacker = await openPlace((response) => response.end('{"keys":[]}'));
    const location = `${attacker.url}/jwks.json`;
    await using redirecting = await openPlace((response) =>
      response.writeHead(302, { Location: location }).end(),
    );
    await using server = await openServer({ push: local });
    await using receiver = await openReceiver();
    const notification = await notify(server.url, receiver);
    const { verifyPush } = verifierOf(receiver, { agent: redirecting.url });
    await expect(verifyPush(notification)).rejects.toThrow(
      `${redirecting.url}/.well-known/jwks.json answered 302, a redirect, which is not followed`,
    );
    expect(attacker.asked()).toEqual([]);
  });

  it("says which URLs it has asked, what they answered, and what the notification says", async () => {
    await using server = await openServer({ agent: { "/travel": demoAgent }, push: local });
    await using receiver = await openReceiver();
    const notification = await notify(`${server.url}/travel`, receiver);
    await using place = await openPlace((response) => response.writeHead(404).end());
    const { verifyPush } = verifierOf(receiver, { agent: `${place.url}/travel` });
    await expect(verifyPush(notification)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message:
        "the agent's keys cannot be fetched: " +
        `${place.url}/travel/.well-known/jwks.json answered 404, ` +
        `${place.url}/.well-known/jwks.json answered 404; ` +
        `the notification says that they are at ${server.url}/travel/.well-known/jwks.json: ` +
        "set keysUrl to that if you trust it",
    });
    expect(place.asked()).toEqual(["/travel/.well-known/jwks.json", "/.well-known/jwks.json"]);
  });

  it.each([
    ["a page", "<!doctype html>", "answered 200 with a body that is no JSON Web Key Set"],
    ["other JSON", '{"keys":1}', "answered 200 with a body that is no JSON Web Key Set"],
    ["nothing", "null", "answered 200 with a body that is no JSON Web Key Set"],
    ["too much", " ".repeat(2 ** 20 + 1), "answered 200 with more than 1048576 bytes"],
  ])("says that %s is no key set", async (_, body, complaint) => {
    await using server = await openServer({ push: local });
    await using receiver = await openReceiver();
    const notification = await notify(server.url, receiver);
    await using place = await openPlace((response) => response.end(body));
    const { verifyPush } = verifierOf(receiver, { agent: place.url });
    await expect(verifyPush(notification)).rejects.toThrow(
      `${place.url}/.well-known/jwks.json ${complaint}`,
    );
  });

  it("says that a URL cannot be reached", async () => {
    await using server = await openServer({ push: local });
    await using receiver = await openReceiver();
    const notification = await notify(server.url, receiver);
    const place = await openPlace(undefined);
    await place[Symbol.asyncDispose]();
    const { verifyPush } = verifierOf(receiver, { agent: place.url });
    await expect(verifyPush(notification)).rejects.toThrow(
      `${place.url}/.well-known/jwks.json cannot be reached (ECONNREFUSED)`,
    );
  });

  it("passes over a page that answers every path, and finds the keys at the origin", async () => {
    await using server = await openServer({ push: local });
    await using receiver = await openReceiver();
    const notification = await notify(server.url, receiver);
    const set = (await send(server.url, "GET /.well-known/jwks.json")).text;
    await using place = await openPlace((response, { path }) =>
      response.end(path === "/.well-known/jwks.json" ? set : "<!doctype html>"),
    );
    await verifierOf(receiver, { agent: `${place.url}/travel` }).verifyPush(notification);
  });

  it.each([
    [{ agent: "localhost:4100" }, 'agent is "localhost:4100"'],
    [{ agent: "agents.example" }, 'agent is "agents.example"'],
    [{ agent: "https://a.example", keysUrl: "file:///keys" }, 'keysUrl is "file:///keys"'],
  ])("cannot be created with %j", (options, complaint) => {
    const create = () => createPushVerifier({ url: "https://me.example/hook", ...options });
    expect(create).toThrow(`createPushVerifier: ${complaint}; expected a URL such as https://`);
  });
});

/** Passes requests below a path on to a server, without that path. */
async function openProxy(path: string) {
  const proxy = { target: "" };
  const receiver = await openReceiver({
    answer(response, { method, path: asked, headers, body }) {
      const route = `${method} ${asked.startsWith(`${path}/`) ? asked.slice(path.length) : "/404"}`;
      const type = headers["content-type"];
      const kept = { ...(type !== undefined && { "Content-Type": type }) };
      void send(proxy.target, route, { headers: kept, body }).then(({ status, text }) =>
        response.writeHead(status, { "Content-Type": "application/json" }).end(text),
      );
    },
  });
  return Object.assign(proxy, {
    url: receiver.url,
    [Symbol.asyncDispose]: () => receiver[Symbol.asyncDispose](),
  });
}
