import { expect, test } from "vitest";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { createInspector } from "@parley/inspector";
import type { OpenInspector } from "@parley/inspector";
import type { Hop, HopPage } from "@parley/inspector/contract";
import { letIn } from "./support/inspector-client.js";

/** In a header, in the request, and in two pieces of the stream. */
const canaries = ["canary-header-1", "canary-request-2", "canary-stream-3", "canary-stream-4"];

const leaking = agent({
  name: "Leaking",
  description: "Says secrets as members of documents, one piece after another",
  inputModes: ["text/plain", "application/json"],
  outputModes: ["text/plain", "application/json"],
  async *run() {
    yield { data: { password: "canary-stream-3" } };
    yield `chunk ${"x".repeat(10_000)}`;
    yield { data: { access_token: "canary-stream-4" } };
  },
});

test("what waits unread is redacted before any reader, file or feed gets it", async () => {
  const inspector = createInspector({ port: 0, receiverPort: false });
  let opened: OpenInspector | undefined;
  await using server = await serve(leaking, {
    port: 0,
    store: "memory:",
    inspector: {
      watch: (handle) => inspector.watch(handle),
      async open(inspected) {
        return (opened = await inspector.open(inspected));
      },
    },
  });
  const stream = async (): Promise<string> => {
    const message = {
      messageId: crypto.randomUUID(),
      role: "ROLE_USER",
      parts: [{ data: { client_secret: "canary-request-2" } }],
    };
    const response = await fetch(server.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        "A2A-Version": "1.0",
        Authorization: "Bearer canary-header-1",
      },
      body: JSON.stringify({
        jsonrpc: "2.0",
        id: 1,
        method: "SendStreamingMessage",
        params: { message },
      }),
    });
    return response.text();
  };
  // Nobody looks yet, so that all of it waits.
  const unread = await stream();
  expect(unread).toContain("canary-stream-3");
  expect(unread).toContain("canary-stream-4");
  const page = await letIn(opened as OpenInspector);
  await using _ = page;
  const saved = await (await page.request("recording")).text();
  const { hops } = await page.ask<HopPage>("hops");
  const whole = await Promise.all(hops.map(({ id }) => page.ask<Hop>(`hops/${id}`)));
  const streamed = whole.find(({ operation }) => operation === "sendStreamingMessage");
  expect(streamed?.frames.length).toBeGreaterThan(3);
  expect(JSON.stringify(streamed?.frames)).toContain("x".repeat(10_000));
  // From now on somebody looks.
  await stream();
  await expect
    .poll(() => JSON.stringify(page.feed().filter(({ kind }) => kind === "frames")))
    .toContain("TASK_STATE_COMPLETED");
  const seen = { saved, hops: JSON.stringify(hops), whole: JSON.stringify(whole) };
  for (const [place, text] of Object.entries({ ...seen, feed: JSON.stringify(page.feed()) })) {
    if (place !== "hops") expect([place, text.includes("[redacted]")]).toEqual([place, true]);
    for (const canary of canaries) {
      expect([place, canary, text.includes(canary)]).toEqual([place, canary, false]);
    }
  }
});
