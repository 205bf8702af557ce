import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text as readAll } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connect } from "@parley/a2a/client";
import { quickFetch } from "@parley/a2a/client/node";

interface Received {
  readonly method: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

/** Answers with the request that it got, and otherwise as its path says. */
let server: Server;
let url: string;
beforeAll(async () => {
  server = createServer((request, response) => {
    void (async () => {
      const { method = "", headers } = request;
      const body = await readAll(request);
      if (request.url === "/moved") response.writeHead(307, { Location: "/" }).end();
      else if (request.url === "/empty") response.writeHead(204).end();
      else if (request.url === "/endless") response.writeHead(200).write("begun");
      else if (request.url !== "/silent") {
        response.setHeader("Set-Cookie", ["a=1", "b=2"]);
        response.setHeader("Content-Type", "application/json");
        response.end(JSON.stringify({ method, headers, body } satisfies Received));
      }
    })();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const received = async (init: RequestInit, path = "/"): Promise<Received> =>
  (await (await quickFetch(url + path, init)).json()) as Received;

it.each<[string, HeadersInit]>([
  ["an object", { "X-Key": "k" }],
  ["headers", new Headers({ "X-Key": "k" })],
  ["pairs", [["X-Key", "k"]]],
])("headers may be given as %s", async (_, headers) => {
  expect((await received({ headers })).headers).toMatchObject({ "x-key": "k" });
});

it.each<[string, BodyInit, string | undefined]>([
  ["a text", "grüße", "text/plain;charset=UTF-8"],
  ["a form", new URLSearchParams({ a: "b c" }), "application/x-www-form-urlencoded;charset=UTF-8"],
  ["bytes", new TextEncoder().encode("bytes"), undefined],
])("a body may be %s", async (_, body, type) => {
  const sent = await received({ method: "POST", body });
  expect(sent).toMatchObject({ method: "POST", body: await new Response(body).text() });
  expect(sent.headers["content-type"]).toBe(type);
  expect(sent.headers["content-length"]).toBe(String(Buffer.byteLength(sent.body)));
});

it("an answer has all that one of fetch has", async () => {
  const [ours, theirs] = await Promise.all([quickFetch(url, {}), fetch(url)]);
  for (const { status, statusText, ok, redirected, url: from, bodyUsed, headers } of [
    ours,
    theirs,
  ]) {
    expect({ status, statusText, ok, redirected, from: new URL(from).origin, bodyUsed }).toEqual({
      status: 200,
      statusText: "OK",
      ok: true,
      redirected: false,
      from: url,
      bodyUsed: false,
    });
    expect(headers.get("SET-COOKIE")).toBe("a=1, b=2");
    expect(headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    expect(headers.has("X-None")).toBe(false);
    expect(headers.get("X-None")).toBeNull();
    expect(new Headers([...headers]).get("content-type")).toBe("application/json");
  }
  expect(await ours.clone().text()).toBe(await ours.text());
  expect(ours.bodyUsed).toBe(true);
  await theirs.body?.cancel();
});

it("an answer without a body has none", async () => {
  const { status, body } = await quickFetch(`${url}/empty`, {});
  expect({ status, body }).toEqual({ status: 204, body: null });
});

it("redirects are followed, unless they are to be seen", async () => {
  expect(await received({ headers: { "X-Key": "k" } }, "/moved")).toMatchObject({ method: "GET" });
  const seen = await quickFetch(`${url}/moved`, { redirect: "manual" });
  expect([seen.status, seen.headers.get("location")]).toEqual([307, "/"]);
});

it.each(["/silent", "/endless"])("a signal ends an exchange with %s", async (path) => {
  const controller = new AbortController();
  const exchange = quickFetch(url + path, { signal: controller.signal }).then((one) => one.text());
  setTimeout(() => controller.abort(new Error("enough")), 50);
  await expect(exchange).rejects.toThrow("enough");
  await expect(quickFetch(url, { signal: controller.signal })).rejects.toThrow("enough");
});

it("a server that is not there is an agent that cannot be reached", async () => {
  await expect(quickFetch("http://127.0.0.1:1", {})).rejects.toThrow(new TypeError("fetch failed"));
  const options = { fetch: quickFetch, patience: { maxAttempts: 1 } };
  await expect(connect("http://127.0.0.1:1", options)).rejects.toMatchObject({
    code: "UNAVAILABLE",
  });
});
