import { once } from "node:events";
import { expect, it, vi } from "vitest";
import { agent } from "@parley/a2a/server";
import { call, open, say } from "../../support/clients/http-client.js";
import { openServer } from "../../support/servers/open-server.js";

/** Five of them are more than the sockets of both ends take without being read. */
const chunk = "x".repeat(8_000_000);

const talker = agent({
  name: "Talker",
  description: "Answers at length",
  async *run() {
    yield { status: "here" };
    for (let nth = 0; nth < 5; nth += 1) yield chunk;
  },
});

it("a reader that takes nothing of a large answer for 60 s loses its connection, and not before", async () => {
  await using server = await openServer({ agent: talker });
  const { result } = await call(server.url, "SendMessage", say("go", {}, { historyLength: 0 }));
  const { id } = result.task as { readonly id: string };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    const stalled = await open(server.url, `GET /tasks/${id}`);
    stalled.pause();
    const { socket } = stalled;
    const closed = once(socket, "close");
    await vi.waitUntil(() => vi.getTimerCount() > 0);
    await vi.advanceTimersByTimeAsync(59_000);
    expect(socket.readyState).toBe("open");
    await vi.advanceTimersByTimeAsync(2000);
    stalled.on("error", () => {}).resume();
    await closed;
    expect(stalled.complete).toBe(false);
  } finally {
    vi.useRealTimers();
  }
});
