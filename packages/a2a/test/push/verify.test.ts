import { createHash } from "node:crypto";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createLocalJWKSet, exportJWK, generateKeyPair, jwtVerify, SignJWT } from "jose";
import type { JSONWebKeySet, JWTPayload } from "jose";
import { describe, expect, it } from "vitest";
import type { TaskPushNotificationConfig } from "@parley/a2a";
import { createPushVerifier } from "@parley/a2a/client/push";
import type { PushRequest, PushVerifierOptions } from "@parley/a2a/client/push";
import { createPushKeys, createPushSender, createStoredPushKeys } from "@parley/a2a/node";
import type { PushKeys } from "@parley/a2a/node";
import type { PushNotification } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { verifies } from "../spec/verifies.js";
import { notificationTo, patient } from "./notifications.js";
import { openReceiver } from "../support/servers/open-receiver.js";

const noon = Date.parse("2026-03-04T12:00:00Z");

async function newKeys(alg = "ES256"): Promise<PushKeys> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return createPushKeys([await exportJWK(privateKey)]);
}

/** What a receiver gets that is sent a notification. */
async function sent(
  keys: PushKeys | undefined,
  more: Partial<PushNotification> = {},
  now = noon,
  configured: Partial<TaskPushNotificationConfig> = {},
): Promise<{ readonly url: string; readonly request: PushRequest }> {
  await using receiver = await openReceiver();
  const sender = createPushSender({
    allowPrivate: true,
    now: () => now,
    ...(keys !== undefined && { keys }),
  });
  const url = `${receiver.url}/hook`;
  const notification = notificationTo(`${url}?task=1`, more);
  const config = { token: "t", ...notification.config, ...configured };
  await sender.send({ ...notification, config }, patient);
  await sender.close();
  const [request] = receiver.received;
  return { url, request: request ?? expect.fail("nothing was received") };
}

async function verifierFor(
  keys: PushKeys,
  options: Partial<PushVerifierOptions> & Pick<PushVerifierOptions, "url">,
) {
  return createPushVerifier({
    agent: "https://agents.example",
    keys: (await keys.publicKeys()) as unknown as JSONWebKeySet,
    now: () => noon,
    ...options,
  });
}

const refused = (reason: string | RegExp) => ({
  code: "UNAUTHENTICATED",
  message: expect.stringMatching(
    typeof reason === "string" ? `this notification is refused: ${reason}` : reason,
  ),
});

describe("a notification from the agent", () => {
  it("is read, whatever it came as", async () => {
    verifies("push:receiver-authenticates", "push:receiver-task-id");
    const keys = await newKeys();
    const { url, request } = await sent(keys);
    const { headers, body } = request as { headers: Record<string, string>; body: Buffer };
    const asRequest = new Request(url, { method: "POST", headers, body: new Uint8Array(body) });
    for (const form of [
      request,
      asRequest,
      { headers, body: body.toString() },
      { headers: new Headers(headers), body },
    ]) {
      const { verifyPush } = await verifierFor(keys, { url, token: "t" });
      expect(await verifyPush(form)).toEqual({
        id: "n1",
        sequence: 2,
        taskId: "t1",
        event: notificationTo(url).event,
        version: "1.0",
        sentAt: new Date(noon),
      });
    }
  });

  it("is read in 0.3-schema: the event, in the member that says what it is", async () => {
    const keys = await newKeys();
    const { url, request } = await sent(keys, { dialect: "0.3-schema" });
    const { verifyPush } = await verifierFor(keys, { url });
    const { event } = notificationTo(url);
    expect(await verifyPush(request)).toMatchObject({ taskId: "t1", version: "0.3", event });
  });

  it.each(["0.1", "0.3", "0.3+type", "0.3-proto", "0.1+0.3"])(
    "is read in %s: the whole task",
    async (dialect) => {
      const keys = await newKeys();
      const { url, request } = await sent(keys, { dialect });
      const { verifyPush } = await verifierFor(keys, { url });
      expect(await verifyPush(request)).toMatchObject({
        taskId: "t1",
        event: { task: { id: "t1", status: { state: "TASK_STATE_WORKING" } } },
      });
    },
  );

  it.each(["ES256", "ES384", "EdDSA", "RS256", "PS256"])(
    "is known by its signature: %s",
    async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true });
      const keys = await createPushKeys([{ ...(await exportJWK(privateKey)), alg }]);
      const { url, request } = await sent(keys);
      const { verifyPush } = await verifierFor(keys, { url });
      expect((await verifyPush(request)).id).toBe("n1");
    },
  );

  it("counts once, and again when it is sent again", async () => {
    verifies("push:receiver-idempotent");
    const keys = await newKeys();
    const first = await sent(keys);
    const { verifyPush } = await verifierFor(keys, { url: first.url });
    const { id } = await verifyPush(first.request);
    await expect(verifyPush(first.request)).rejects.toMatchObject(
      refused("it was received before"),
    );
    const again = await sent(keys, { attempt: 2 });
    const other = await verifierFor(keys, { url: [first.url, again.url] });
    await other.verifyPush(first.request);
    expect((await other.verifyPush(again.request)).id).toBe(id);
  });

  it("is as fresh as it has to be", async () => {
    const keys = await newKeys();
    const { url, request } = await sent(keys);
    for (const [minutes, isFresh] of [
      [-2, false],
      [-0.5, true],
      [4, true],
      [7, false],
    ] as const) {
      const now = () => noon + minutes * 60_000;
      const { verifyPush } = await verifierFor(keys, { url, now });
      const outcome = await verifyPush(request).then(
        () => true,
        () => false,
      );
      expect([minutes, outcome]).toEqual([minutes, isFresh]);
    }
  });
});

describe("a webhook that asks for a bearer and brings none", () => {
  it.each(["Bearer", "bearer", "BEARER"])("gets the signature as one: %s", async (scheme) => {
    verifies("push:scheme-case");
    const keys = await newKeys();
    const { request, url } = await sent(keys, {}, noon, { authentication: { scheme } });
    const { headers, body } = request as { headers: Record<string, string>; body: Buffer };
    const [, token = ""] = (headers["authorization"] ?? "").split(`${scheme} `);
    expect(token).toBe(headers["x-a2a-notification-signature"]);
    // As receivers do that were written for the first samples of the protocol.
    const set = createLocalJWKSet((await keys.publicKeys()) as unknown as JSONWebKeySet);
    const { payload } = await jwtVerify(token, set, { currentDate: new Date(noon) });
    const digest = createHash("sha256").update(body).digest("hex");
    expect(payload).toMatchObject({ iat: noon / 1000, request_body_sha256: digest, sub: "t1" });
    expect(payload.aud).toBe(url);
  });

  it("gets nothing for other schemes, and its own where it brings one", async () => {
    const keys = await newKeys();
    for (const [authentication, expected] of [
      [{ scheme: "Basic" }, undefined],
      [{ scheme: "Bearer", credentials: "mine" }, "Bearer mine"],
    ] as const) {
      const { request } = await sent(keys, {}, noon, { authentication });
      const { headers } = request as { headers: Record<string, string> };
      expect(headers["authorization"]).toBe(expected);
    }
  });
});

describe("what is not from the agent", () => {
  it("is refused without a signature", async () => {
    const { url, request } = await sent(undefined);
    const { verifyPush } = await verifierFor(await newKeys(), { url });
    await expect(verifyPush(request)).rejects.toMatchObject(refused("it has no signature"));
  });

  it("is refused when another key signed it, under the same name, too", async () => {
    const { url, request } = await sent(await newKeys());
    const stranger = await verifierFor(await newKeys(), { url });
    await expect(stranger.verifyPush(request)).rejects.toMatchObject(
      refused("the agent has no key with its key id"),
    );
    const { privateKey } = await generateKeyPair("ES256", { extractable: true });
    const named = async (key: CryptoKey) =>
      createPushKeys([{ ...(await exportJWK(key)), kid: "k" }]);
    const forged = await sent(await named(privateKey));
    const real = await named((await generateKeyPair("ES256", { extractable: true })).privateKey);
    const { verifyPush } = await verifierFor(real, { url: forged.url });
    await expect(verifyPush(forged.request)).rejects.toMatchObject(
      refused("its signature is not valid"),
    );
  });

  it.each([
    ["another body", (body: string) => body.replace("WORKING", "COMPLETED")],
    ["a longer body", (body: string) => `${body} `],
    ["no body", () => ""],
  ])("is refused with %s", async (_, change) => {
    const keys = await newKeys();
    const { url, request } = await sent(keys);
    const { headers, body } = request as { headers: Record<string, string>; body: Buffer };
    const { verifyPush } = await verifierFor(keys, { url });
    const changed = { headers, body: change(body.toString()) };
    await expect(verifyPush(changed)).rejects.toMatchObject(
      refused("its body is not the one that was signed"),
    );
    // What was refused does not count as received.
    expect((await verifyPush(request)).id).toBe("n1");
  });

  it("is refused when it was meant for another receiver", async () => {
    const keys = await newKeys();
    const { url, request } = await sent(keys);
    for (const other of [`${url}/2`, "https://me.example/hook"]) {
      const { verifyPush } = await verifierFor(keys, { url: other });
      await expect(verifyPush(request)).rejects.toMatchObject(refused("it is for another webhook"));
    }
  });

  it("is refused with another token, or for a task nobody waits for", async () => {
    verifies("push:receiver-task-id");
    const keys = await newKeys();
    const { url, request } = await sent(keys);
    const tokens = [
      "u",
      "tt",
      (taskId: string) => (taskId === "t1" ? undefined : "t"),
      async () => "x",
    ];
    for (const token of tokens) {
      const { verifyPush } = await verifierFor(keys, { url, token });
      await expect(verifyPush(request)).rejects.toMatchObject(refused(/token/));
    }
    const { verifyPush } = await verifierFor(keys, {
      url,
      token: (id) => (id === "t1" ? "t" : ""),
    });
    expect((await verifyPush(request)).taskId).toBe("t1");
  });

  it.each([
    ["a token of the agent's for something else", { typ: "JWT" }, {}],
    ["a signature without the digest of a body", {}, { request_body_sha256: undefined }],
    ["a signature without an id of its own", {}, { jti: undefined }],
    ["a signature without a time", {}, { iat: undefined }],
  ])("is refused: %s", async (_, header, claims) => {
    const keys = await newKeys();
    const { kid, alg, key } = await keys.signingKey();
    const url = "https://me.example/hook";
    const whole = { jti: "1", aud: url, iat: noon / 1000, notification_id: "n", sequence: 1 };
    const payload = { ...whole, request_body_sha256: "0", ...claims } as JWTPayload;
    const signature = await new SignJWT(payload)
      .setProtectedHeader({ alg, kid, typ: "a2a-notification+jwt", ...header })
      .sign(key);
    const { verifyPush } = await verifierFor(keys, { url });
    const headers = { "x-a2a-notification-signature": signature };
    await expect(verifyPush({ headers, body: "" })).rejects.toMatchObject(refused(/is not valid/));
  });

  it.each([
    "",
    "x",
    "a.b.c",
    "eyJhbGciOiJub25lIn0.e30.",
    "eyJhbGciOiJIUzI1NiIsImtpZCI6ImsifQ.e30.AA",
  ])("is refused with a signature such as %j", async (signature) => {
    const { verifyPush } = await verifierFor(await newKeys(), { url: "https://me.example/hook" });
    const headers = { "x-a2a-notification-signature": signature };
    await expect(verifyPush({ headers, body: "{}" })).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
    });
  });

  it("is not read beyond a limit, nor after a parser", async () => {
    const keys = await newKeys();
    const { url, request } = await sent(keys);
    const { headers, body } = request as { headers: Record<string, string>; body: Buffer };
    const { verifyPush } = await verifierFor(keys, { url, maxBytes: 10 });
    const asRequest = new Request(url, { method: "POST", headers, body: new Uint8Array(body) });
    for (const form of [request, asRequest]) {
      await expect(verifyPush(form)).rejects.toMatchObject({ code: "REQUEST_TOO_LARGE" });
    }
    const parsed = { headers, body: JSON.parse(body.toString()) as string };
    await expect(verifyPush(parsed)).rejects.toMatchObject({ code: "INVALID_REQUEST" });
  });
});

describe("the agent's keys", () => {
  async function openKeyServer(keys: PushKeys) {
    const fetches: (string | undefined)[] = [];
    let status = 200;
    const server = createServer((request, response) => {
      fetches.push(request.url);
      const isFound = request.url === "/.well-known/jwks.json";
      void keys
        .publicKeys()
        .then((set) => response.writeHead(isFound ? status : 404).end(JSON.stringify(set)));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return {
      agent: `http://127.0.0.1:${(server.address() as AddressInfo).port}/travel`,
      fetches: () => fetches,
      answerWith: (next: number) => (status = next),
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        server.close();
        await once(server, "close");
      },
    };
  }

  it("are fetched once, below its URL or else at its origin, and known before they change", async () => {
    const rotateMs = 60_000;
    let now = noon;
    const store = createMemoryStore();
    const keys = createStoredPushKeys(store, { rotateMs, now: () => now });
    await using server = await openKeyServer(keys);
    const { agent } = server;
    const url = "http://127.0.0.1/hook";
    const signed = new Set<string>();
    const requests: PushRequest[] = [];
    const urls = [url];
    for (const minute of [0, 1]) {
      now = noon + minute * rotateMs;
      signed.add((await keys.signingKey()).kid);
      const one = await sent(keys, {}, now);
      requests.push(one.request);
      urls.push(one.url);
    }
    now = noon;
    const { verifyPush } = createPushVerifier({ agent, url: urls, now: () => now });
    expect(signed.size).toBe(2);
    for (const request of requests) expect((await verifyPush(request)).id).toBe("n1");
    expect(server.fetches()).toEqual(["/travel/.well-known/jwks.json", "/.well-known/jwks.json"]);
  });

  it("are fetched from where they are said to be", async () => {
    const keys = await newKeys();
    await using server = await openKeyServer(keys);
    const { url, request } = await sent(keys);
    for (const [keysUrl, outcome] of [
      [`${new URL(server.agent).origin}/.well-known/jwks.json`, "n1"],
      ["/elsewhere", "UNAVAILABLE"],
    ] as const) {
      const agent = keysUrl === "/elsewhere" ? server.agent : "https://agents.example/";
      const { verifyPush } = createPushVerifier({ agent, keysUrl, url, now: () => noon });
      const found = await verifyPush(request).then(
        ({ id }) => id,
        (error: { code: string }) => error.code,
      );
      expect(found).toBe(outcome);
    }
  });

  it("that cannot be fetched are no fault of the notification", async () => {
    const keys = await newKeys();
    await using server = await openKeyServer(keys);
    server.answerWith(500);
    const { url, request } = await sent(keys);
    const { verifyPush } = createPushVerifier({ agent: server.agent, url, now: () => noon });
    await expect(verifyPush(request)).rejects.toMatchObject({ code: "UNAVAILABLE" });
    server.answerWith(200);
    expect((await verifyPush(request)).id).toBe("n1");
    await server[Symbol.asyncDispose]();
    const late = createPushVerifier({ agent: server.agent, url, now: () => noon });
    await expect(late.verifyPush(request)).rejects.toMatchObject({ code: "UNAVAILABLE" });
  });
});
