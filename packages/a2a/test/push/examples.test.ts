import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import express from "express";
import { describe, expect, it } from "vitest";
import type { VerifiedPush } from "@parley/a2a/client/push";
import { createPushSender, createStoredPushKeys } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { createWebhookRouter } from "../../../../examples/push-express.js";
import { createWebhook } from "../../../../examples/push-fetch.js";
import { openServer } from "../support/servers/open-server.js";
import { verifies } from "../spec/verifies.js";
import { notificationTo, patient } from "./notifications.js";

type Webhook = { readonly agent: string; readonly url: string };
type Handle = (push: VerifiedPush) => Promise<void>;

function answerWithFetch(server: Server, webhook: Webhook, handle: Handle): void {
  const listener = getRequestListener(createWebhook(webhook, handle));
  server.on("request", (request, response) => void listener(request, response));
}

function answerWithExpress(server: Server, webhook: Webhook, handle: Handle): void {
  server.on("request", express().use("/hook", createWebhookRouter(webhook, handle)));
}

async function openWebhook(
  answer: typeof answerWithFetch,
  agent: string,
  handle: Handle,
): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
  answer(server, { agent, url }, handle);
  return {
    url,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

describe.each([
  ["fetch", answerWithFetch],
  ["Express", answerWithExpress],
])("the webhook for %s", (_, answer) => {
  it("takes what the agent sends, each once, and what fails again", async () => {
    verifies(
      "push:receiver-acknowledges",
      "push:receiver-authenticates",
      "push:receiver-idempotent",
    );
    const store = createMemoryStore();
    await using agent = await openServer({ store });
    const handled: string[] = [];
    await using webhook = await openWebhook(answer, agent.url, async ({ id, taskId }) => {
      handled.push(id);
      if (handled.length === 1) throw new TypeError(`${taskId} cannot be handled yet`);
    });
    const keys = createStoredPushKeys(store);
    const sender = createPushSender({ allowPrivate: true, challenge: true, keys });
    await sender.admit({ url: webhook.url });
    const first = notificationTo(`${webhook.url}?secret=1`, { id: "n2", sequence: 2 });
    expect(await sender.send(first, patient)).toMatchObject({
      kind: "failed",
      reason: "the receiver answered 500",
    });
    for (const notification of [
      first,
      first,
      notificationTo(webhook.url, { id: "n3", sequence: 3 }),
      first,
      notificationTo(webhook.url, { id: "n4", sequence: 4, dialect: "0.3" }),
    ]) {
      expect(await sender.send(notification, patient)).toEqual({ kind: "arrived" });
    }
    expect(handled).toEqual(["n2", "n2", "n3", "n4"]);
    await sender.close();
  });

  it("takes nothing from others", async () => {
    await using agent = await openServer();
    const handled: string[] = [];
    await using webhook = await openWebhook(answer, agent.url, async ({ id }) => {
      handled.push(id);
    });
    const unsigned = createPushSender({ allowPrivate: true });
    const keys = createStoredPushKeys(createMemoryStore());
    const stranger = createPushSender({ allowPrivate: true, keys });
    for (const sender of [unsigned, stranger]) {
      expect(await sender.send(notificationTo(webhook.url), patient)).toMatchObject({
        kind: "failed",
        reason: "the receiver answered 401",
      });
      await sender.close();
    }
    expect(handled).toEqual([]);
  });
});
