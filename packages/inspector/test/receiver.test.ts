import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import type { Delivery, Receiver } from "@parley/inspector/contract";
import { openTestPage } from "./support/inspector-client.js";
import type { TestPage } from "./support/inspector-client.js";

let server: Server;
let page: TestPage;
const token = "canary-of-the-push-token";

const pushing = agent({
  name: "Pushing",
  description: "Tells webhooks what it says",
  capabilities: { pushNotifications: true },
  async *run({ text }) {
    yield { status: "begun" };
    yield text;
  },
});

beforeAll(async () => {
  server = await serve(pushing, { port: 0, store: "memory:", push: { allowPrivate: true } });
  page = await openTestPage();
});

afterAll(async () => {
  await page[Symbol.asyncDispose]();
  await server.close();
});

async function send(connection: string, url: string): Promise<void> {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: "hello" }] };
  const configuration = { taskPushNotificationConfig: { url, token } };
  await page.ask(`connections/${connection}/call`, {
    operation: "sendMessage",
    request: { message, configuration },
  });
}

const deliveries = async (): Promise<readonly Delivery[]> =>
  (await page.ask<{ deliveries: readonly Delivery[] }>("deliveries")).deliveries;

test("receives notifications at an address that cannot be guessed, and checks each line by line", async () => {
  const { id } = await page.connect(server.url);
  const receiver = await page.ask<Receiver>("receiver", { token });
  expect(receiver).toMatchObject({ behaviour: 200, hasToken: true, canForward: true });
  expect(new URL(receiver.url).pathname).toMatch(/^\/hook\/[\w-]{32}$/);
  expect(new URL(receiver.url).port).not.toBe(new URL(page.origin).port);
  await send(id, receiver.url);
  await expect.poll(async () => (await deliveries()).length).toBeGreaterThanOrEqual(2);
  const [first, second] = await deliveries();
  expect(first?.checks.map(({ name, status }) => `${name} ${status}`)).toEqual([
    "token passed",
    "key passed",
    "age passed",
    "audience passed",
    "body hash passed",
    "replay passed",
    "signature passed",
  ]);
  expect(first).toMatchObject({ isVerified: true, answered: 200, order: "next" });
  expect(second?.sequence).toBeGreaterThan(first?.sequence ?? 0);
  expect(first?.headers).toContainEqual(["x-a2a-notification-token", "[redacted]"]);
  await expect.poll(() => page.feed().some(({ kind }) => kind === "delivery")).toBe(true);
});

test("shows what is wrong with a delivery that somebody else has sent", async () => {
  const { url } = await page.ask<Receiver>("receiver");
  const forged = {
    statusUpdate: { taskId: "t", contextId: "c", status: { state: "TASK_STATE_WORKING" } },
  };
  const headers = { "Content-Type": "application/json", "X-A2A-Notification-Token": "wrong" };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(forged) });
  expect(answer.status).toBe(200);
  const found = (await deliveries()).find(({ taskId }) => taskId === "t");
  expect(found?.isVerified).toBe(false);
  expect(found?.checks).toContainEqual(
    expect.objectContaining({ name: "token", status: "failed" }),
  );
  expect((await fetch(url.replace(/.$/, ""), { method: "POST" })).status).toBe(404);
});

test.each([410, 429, 500] as const)("answers %i on purpose", async (behaviour) => {
  const { url } = await page.ask<Receiver>("receiver", { behaviour });
  const body = JSON.stringify({ id: `t${behaviour}` });
  const { status } = await fetch(url, { method: "POST", body });
  expect(status).toBe(behaviour);
  const found = (await deliveries()).find(({ taskId }) => taskId === `t${behaviour}`);
  expect(found?.answered).toBe(behaviour);
});

test("hangs on purpose: the delivery is there, and its sender waits", async () => {
  const { url } = await page.ask<Receiver>("receiver", { behaviour: "hang" });
  const leave = new AbortController();
  let isAnswered = false;
  const sent = fetch(url, { method: "POST", body: '{"id":"hung"}', signal: leave.signal }).then(
    () => (isAnswered = true),
    () => "left",
  );
  const found = async (): Promise<Delivery | undefined> =>
    (await deliveries()).find(({ taskId }) => taskId === "hung");
  await expect.poll(found).toMatchObject({ answered: "hung" });
  expect(isAnswered).toBe(false);
  leave.abort();
  expect(await sent).toBe("left");
});

test("passes a delivery on as it came, and says what became of it", async () => {
  const got: { readonly token: unknown; readonly body: string }[] = [];
  const target = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      got.push({ token: request.headers["x-a2a-notification-token"], body });
      response.writeHead(202).end();
    });
  });
  await new Promise<void>((resolve) => target.listen(0, "127.0.0.1", resolve));
  const { port } = target.address() as { port: number };
  const forwardTo = `http://127.0.0.1:${port}/inner`;
  const { url } = await page.ask<Receiver>("receiver", { behaviour: 200, forwardTo });
  const post = async (id: string): Promise<Delivery | undefined> => {
    const headers = { "X-A2A-Notification-Token": token };
    await fetch(url, { method: "POST", headers, body: JSON.stringify({ id }) });
    return (await deliveries()).find(({ taskId }) => taskId === id);
  };
  try {
    expect((await post("passed"))?.forwarded).toEqual({ status: 202 });
    expect(got).toEqual([{ token, body: '{"id":"passed"}' }]);
  } finally {
    target.closeAllConnections();
    await new Promise((resolve) => target.close(resolve));
  }
  expect((await post("lost"))?.forwarded).toEqual({ error: expect.any(String) });
  await page.ask("receiver", { forwardTo: "" });
  expect((await post("kept"))?.forwarded).toBeUndefined();
});
