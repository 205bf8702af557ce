import { expect, it, onTestFinished, vi } from "vitest";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { codecs } from "@parley/a2a/wire";
import { createGate } from "../support/time/gate.js";

const watchersEach = 5;
const chunks = 10;

/** How callers of each version subscribe. */
const subscriptions = {
  "1.0": { method: "SubscribeToTask", headers: { "a2a-version": "1.0" } },
  "0.3": { method: "tasks/resubscribe", headers: {} },
} as const;

it("an event is encoded once for all who watch in one dialect, over sockets", async () => {
  const gate = createGate();
  const subject = agent({
    name: "Watched",
    description: "Is watched by many",
    async *run() {
      yield "begun";
      await gate.opened;
      for (let said = 0; said < chunks; said += 1) yield "x";
    },
  });
  await using server = await serve(subject, { port: 0, store: createMemoryStore() });
  const post = (method: string, params: object, headers: object): Promise<Response> =>
    fetch(server.url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
  const message = { messageId: "m", role: "ROLE_USER", parts: [{ text: "go" }] };
  const configuration = { returnImmediately: true };
  const sent = await post("SendMessage", { message, configuration }, { "a2a-version": "1.0" });
  const { result } = (await sent.json()) as { result: { task: { id: string } } };

  const watchers = Object.values(subscriptions).flatMap(({ method, headers }) =>
    Array.from({ length: watchersEach }, () => post(method, { id: result.task.id }, headers)),
  );
  const streams = await Promise.all(watchers);
  const spies = Object.keys(subscriptions).map((version) =>
    vi.spyOn(codecs[version as keyof typeof subscriptions], "encodeEvent"),
  );
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
  });
  const readers = streams.map((stream) => stream.text());
  gate.open();
  for (const text of await Promise.all(readers))
    expect(text.split("\n\n").length).toBeGreaterThan(chunks);

  for (const spy of spies) {
    const updates = spy.mock.calls.filter(([response]) => response.artifactUpdate !== undefined);
    const saysX = updates.filter(([response]) => JSON.stringify(response).includes('"text":"x"'));
    expect(saysX).toHaveLength(chunks);
  }
});
