import { createHook } from "node:async_hooks";
import process from "node:process";
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

async function post(url: string, method: string, text: string): Promise<Response> {
  const message = { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] };
  return fetch(url, {
    method: "POST",
    // A connection that is kept for the next call would count.
    headers: { "content-type": "application/json", "a2a-version": "1.0", connection: "close" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { message } }),
  });
}

it("a server has no timer, handle or listener left of answers, tasks and streams, read to their ends or not", async () => {
  await using folder = await openFolder();
  const subject = agent({
    name: "Leaving",
    description: "Leaves nothing behind",
    run: ({ text }) => (text === "echo" ? text : count(Number(text))),
  });
  await using server = await serve(subject, {
    port: 0,
    store: folder.file(),
    // A timer that is left is still there when it is looked for.
    heartbeatMs: 600_000,
  });
  const use = async (): Promise<void> => {
    await (await post(server.url, "SendMessage", "echo")).text();
    await (await post(server.url, "SendMessage", "3")).text();
    await (await post(server.url, "SendStreamingMessage", "3")).text();
    const left = await post(server.url, "SendStreamingMessage", "100");
    await left.body?.cancel();
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
