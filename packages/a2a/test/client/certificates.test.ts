import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createAuthenticator, mutualTls } from "@parley/a2a/auth";
import { connect } from "@parley/a2a/client";
import { certificateFetch } from "@parley/a2a/client/node";
import type { CertificateFetch } from "@parley/a2a/client/node";
import type { Server } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { openServer } from "../support/servers/open-server.js";
import { readAll } from "./open-agent.js";
import { readTls } from "../support/files/tls.js";
import { verifies } from "../spec/verifies.js";

const pem = (name: string): string => readTls(name).toString();

let server: Server;
let cert: string;
let key: string;
let ca: string;
beforeAll(async () => {
  [cert, key, ca] = [pem("client-cert"), pem("client-key"), pem("localhost-cert")];
  server = await openServer({
    agent: agent({
      name: "Guarded",
      description: "Talks to those it has a certificate of",
      async *run({ text, signal }) {
        yield* ["one ", "two ", "three"];
        if (text === "wait")
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
      },
    }),
    auth: createAuthenticator({ schemes: { certificate: mutualTls({ subject: "uri" }) } }),
    tls: {
      key: readTls("localhost-key"),
      cert: ca,
      ca: cert,
      rejectUnauthorized: true,
    },
  });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

const present = (): CertificateFetch => certificateFetch({ origin: server.url, cert, key, ca });

describe("a certificate of the client", () => {
  it("opens an agent that requires one, for calls and streams", async () => {
    using fetch = present();
    const remote = await connect(server.url, { fetch, credentials: {} });
    expect(await remote.text("go")).toBe("one two three");
    expect((await readAll(remote.stream("go"))).text).toBe("one two three");
    await expect(remote.task("missing")).rejects.toMatchObject({ code: "TASK_NOT_FOUND" });
  });

  it("is missed by the agent of who has none", async () => {
    using fetch = certificateFetch({ origin: server.url, ca });
    // A URL that nobody has asked for yet, or its card would be known.
    const search = connect(`${server.url}/.well-known/agent-card.json?none`, {
      fetch,
      patience: { maxAttempts: 1 },
    });
    await expect(search).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });

  it("does not make a server trusted that is not", async () => {
    verifies("security:server-certificate");
    using fetch = certificateFetch({ origin: server.url, cert, key });
    await expect(fetch(server.url, {})).rejects.toThrowError(/self-signed certificate/);
  });

  it("is shown to one origin; others are asked without it", async () => {
    const elsewhere = vi.fn(async () => new Response("{}"));
    using fetch = certificateFetch({ origin: server.url, cert, key, ca, fetch: elsewhere });
    await fetch("https://elsewhere.example/", {});
    expect(elsewhere).toHaveBeenCalledOnce();
    expect(() => certificateFetch({ origin: "http://agent.example", cert, key })).toThrowError(
      "http://agent.example is not an https origin",
    );
  });

  it("stays where it is when the agent redirects", async () => {
    const target = "https://elsewhere.example/";
    const redirecting = createServer({ key: readTls("localhost-key"), cert: ca }, (_, response) =>
      response.writeHead(307, { Location: target }).end(),
    );
    await new Promise<void>((resolve) => redirecting.listen(0, "127.0.0.1", resolve));
    const url = `https://127.0.0.1:${(redirecting.address() as AddressInfo).port}`;
    const elsewhere = vi.fn(async () => new Response("{}"));
    using fetch = certificateFetch({ origin: url, cert, key, ca, fetch: elsewhere });
    const response = await fetch(url, {});
    expect([response.status, response.headers.get("location")]).toEqual([307, target]);
    await response.body?.cancel();
    expect(elsewhere).not.toHaveBeenCalled();
    fetch.close();
    await new Promise((resolve) => redirecting.close(resolve));
  });

  it("lets a stream be aborted before and after it has begun", async () => {
    using fetch = present();
    const remote = await connect(server.url, { fetch, credentials: {} });
    const controller = new AbortController();
    const events = remote.stream("wait", { signal: controller.signal });
    await events.next();
    controller.abort(new Error("enough"));
    await expect(readAll(events)).rejects.toThrowError("enough");
    const aborted = remote.text("go", { signal: AbortSignal.abort(new Error("never mind")) });
    await expect(aborted).rejects.toThrowError("never mind");
  });
});
