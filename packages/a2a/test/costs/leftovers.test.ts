import { createHook } from "node:async_hooks";
import { once } from "node:events";
import { request } from "node:http";
import type { IncomingMessage } from "node:http";
import process from "node:process";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { openFolder } from "../support/files/open-folder.js";

/** Counts timers as well that do not keep the process alive. */
class Timers implements Disposable {
  readonly #open = new Set<number>();
  readonly #hook = createHook({
    init: (id, kind) => void (kind === "Timeout" && this.#open.add(id)),
    destroy: (id) => void this.#open.delete(id),
  }).enable();

  get size(): number {
    return this.#open.size;
  }

  [Symbol.dispose](): void {
    this.#hook.disable();
  }
}

/** How many sockets and ports of threads there are, timers, and listeners of the process. */
function leftovers(timers: Timers): Record<string, number> {
  const kinds = process.getActiveResourcesInfo();
  const count = (kind: string): number => kinds.filter((one) => one === kind).length;
  return {
    sockets: count("TCPSocketWrap"),
    ports: count("MessagePort"),
    timers: timers.size,
    listeners: process.eventNames().reduce((sum, name) => sum + process.listenerCount(name), 0),
  };
}

/** Looks again and again, a turn of the event loop apart: a timer to look by would count itself. */
async function until(isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + 20_000;
  while (!isSo() && performance.now() < deadline) {
    await new Promise<void>((resolve) => setImmediate(resolve));
  }
}

/** Calls over a connection of its own, which is not kept for the next call. */
async function post(url: string, method: string, words: string): Promise<IncomingMessage> {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text: words }] };
  const headers = { "content-type": "application/json", "a2a-version": "1.0" };
  const calling = request(url, { method: "POST", agent: false, headers });
  calling.end(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { message } }));
  const [answer] = (await once(calling, "response")) as [IncomingMessage];
  return answer;
}

it("a server has no timer, handle or listener left of answers, tasks and streams, read to their ends or not", async () => {
  await using folder = await openFolder();
  const subject = agent({
    name: "Leaving",
    description: "Leaves nothing behind",
    run: ({ text: words }) => (words === "echo" ? words : count(Number(words))),
  });
  await using server = await serve(subject, {
    port: 0,
    store: folder.file(),
    // A timer that is left is still there when it is looked for.
    heartbeatMs: 600_000,
  });
  const use = async (): Promise<void> => {
    await text(await post(server.url, "SendMessage", "echo"));
    await text(await post(server.url, "SendMessage", "3"));
    await text(await post(server.url, "SendStreamingMessage", "3"));
    const left = await post(server.url, "SendStreamingMessage", "100");
    left.destroy();
  };
  await use();
  using timers = new Timers();
  await use();
  await until(() => leftovers(timers)["sockets"] === 0);
  const before = leftovers(timers);
  for (let times = 0; times < 5; times += 1) await use();
  // Less is as good: the server's own timers begin anew.
  const isLess = () =>
    Object.entries(leftovers(timers)).every(([kind, left]) => left <= (before[kind] ?? 0));
  await until(isLess);
  expect(isLess(), JSON.stringify({ before, after: leftovers(timers) })).toBe(true);
});

async function* count(to: number): AsyncGenerator<string, void, void> {
  for (let said = 0; said < to; said += 1) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    yield `${said} `;
  }
}
