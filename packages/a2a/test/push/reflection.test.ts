import type { LookupAddress } from "node:dns";
import { describe, expect, it } from "vitest";
import { createPushSender } from "@parley/a2a/node";
import type { PushSenderOptions } from "@parley/a2a/node";
import { call } from "../support/clients/http-client.js";
import { openReceiver } from "../support/servers/open-receiver.js";
import type { Receiver } from "../support/servers/open-receiver.js";
import { openServer } from "../support/servers/open-server.js";
import { notificationTo } from "./notifications.js";

const second = 1000;

/** A sender by the clock of the test. Every name stands for this machine. */
function openSender(options: PushSenderOptions = {}) {
  let at = 1_700_000_000_000;
  const resolve = async (): Promise<LookupAddress[]> => [{ address: "127.0.0.1", family: 4 }];
  const sender = createPushSender({ allowPrivate: true, resolve, now: () => at, ...options });
  return {
    sender,
    pass: (ms: number) => void (at += ms),
    sendAll: (urls: readonly string[]) =>
      Promise.all(
        urls.map((url) => sender.send(notificationTo(url), new AbortController().signal)),
      ),
    [Symbol.asyncDispose]: () => sender.close(),
  };
}

/** A host that takes no part in A2A. */
function openVictim(options: { readonly status?: () => number } = {}): Promise<Receiver> {
  const { status = () => 404 } = options;
  return openReceiver({ answer: (response) => response.writeHead(status()).end() });
}

const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));

describe("a host that has never answered 2xx", () => {
  it("gets eight requests at once, and one a second from then on", async () => {
    await using victim = await openVictim();
    await using opened = openSender();
    const outcomes = await opened.sendAll(times(50, (index) => `${victim.url}/${index}`));
    expect(victim.received.length).toBe(8);
    expect(outcomes.at(-1)).toEqual({
      kind: "failed",
      reason:
        "not sent: its host has never answered 2xx and gets 1 request a second (push.newReceivers)",
      retryAfterMs: second,
    });
    for (let seconds = 0; seconds < 5; seconds += 1) {
      opened.pass(second);
      await opened.sendAll(times(20, () => victim.url));
    }
    expect(victim.received.length).toBe(8 + 5);
  });

  it("gets no more under many names", async () => {
    await using victim = await openVictim();
    await using opened = openSender();
    const urls = times(50, (index) => `http://name${index}.example:${victim.port}/`);
    await opened.sendAll(urls);
    expect(victim.received.length).toBe(8);
  });

  it("gets no more at many ports", async () => {
    await using first = await openVictim();
    await using second = await openVictim();
    await using opened = openSender();
    const urls = [first, second].map(({ port }) => `http://name.example:${port}/`);
    await opened.sendAll([...urls, ...urls, ...urls, ...urls, ...urls, ...urls]);
    expect(first.received.length + second.received.length).toBe(8);
  });

  it("gets as few where the connection is all that it gets", async () => {
    await using victim = await openVictim();
    await using opened = openSender();
    await opened.sendAll(times(50, () => `https://127.0.0.1:${victim.port}/`));
    expect(victim.connections).toBe(8);
  });

  it("gets all of them once it has answered", async () => {
    let status = 500;
    await using victim = await openVictim({ status: () => status });
    await using opened = openSender();
    await opened.sendAll(times(50, () => victim.url));
    expect(victim.received.length).toBe(8);
    status = 204;
    opened.pass(second);
    await opened.sendAll([victim.url]);
    await opened.sendAll(times(50, () => victim.url));
    expect(victim.received.length).toBe(8 + 1 + 50);
    status = 500;
    await opened.sendAll(times(50, () => victim.url));
    expect(victim.received.length).toBe(8 + 1 + 50 + 50);
  });

  it("gets as many as the operator says", async () => {
    await using victim = await openVictim();
    await using opened = openSender({ newReceivers: { perSecond: 10, burst: 2 } });
    await opened.sendAll(times(50, () => victim.url));
    expect(victim.received.length).toBe(2);
    opened.pass(second / 10);
    await opened.sendAll(times(50, () => victim.url));
    expect(victim.received.length).toBe(3);
  });
});

describe("a challenge", () => {
  it("is no way to reach a host more often: who registers it is told when to try again", async () => {
    await using victim = await openVictim();
    await using opened = openSender({ challenge: true });
    const refusals = times(20, () => opened.sender.admit({ url: victim.url }).catch(String));
    await Promise.all(refusals);
    expect(victim.received.length).toBe(8);
    await expect(opened.sender.admit({ url: victim.url })).rejects.toMatchObject({
      code: "RESOURCE_EXHAUSTED",
      details: { retryAfterSeconds: 1 },
    });
  });

  it("that is answered lets the notifications through", async () => {
    await using receiver = await openReceiver({
      answer(response, { method, path }) {
        const { searchParams } = new URL(path, "http://receiver.example");
        response.writeHead(method === "GET" ? 200 : 500).end(searchParams.get("validationToken"));
      },
    });
    await using opened = openSender({ challenge: true });
    await opened.sender.admit({ url: receiver.url });
    await opened.sendAll(times(50, () => receiver.url));
    expect(receiver.received.length).toBe(1 + 50);
  });
});

describe("an open server", () => {
  it("is no means to flood a third party: hundreds of webhooks get it a few requests a second", async () => {
    await using victim = await openVictim();
    await using healthy = await openReceiver({ host: "127.0.0.2" });
    const push = { allowPrivate: ["127.0.0.0/8"], schemes: ["http"] as const };
    await using server = await openServer({ push });
    const register = (url: string) =>
      call(server.url, "SendMessage", {
        message: { messageId: url, role: "ROLE_USER", parts: [{ text: "flight" }] },
        configuration: { returnImmediately: true, taskPushNotificationConfig: { url } },
      });
    const startedAt = performance.now();
    for (let index = 0; index < 300; index += 1) await register(`${victim.url}/${index}`);
    // Queues begin in the order in which they are due, so all others have had their turn before this one.
    await register(healthy.url);
    await healthy.until(1);
    const seconds = (performance.now() - startedAt) / second;
    expect(victim.received.length).toBeGreaterThan(0);
    expect(victim.received.length).toBeLessThanOrEqual(8 + Math.ceil(seconds));
  });
});
