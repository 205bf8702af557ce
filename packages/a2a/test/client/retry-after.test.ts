import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import type { Task } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { RemoteAgent } from "@parley/a2a/client";
import { bareCard } from "./bare-card.js";
import { ManualTimers } from "../support/time/manual-timers.js";

const task: Task = { id: "t", contextId: "c", status: { state: "TASK_STATE_COMPLETED" } };

interface Busy extends AsyncDisposable {
  readonly remote: RemoteAgent;
  readonly timers: ManualTimers;
  readonly heard: string[];
}

/** An agent that answers the first two requests as given, and those after with a task. */
async function openBusy(
  protocolBinding: string,
  status: number,
  retryAfter: string,
): Promise<Busy> {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    heard.push(`${request.method} ${request.url}`);
    if (heard.length <= 2) {
      response.writeHead(status, { "Retry-After": retryAfter }).end();
      return;
    }
    const isRpc = protocolBinding === "JSONRPC";
    const result = request.url?.includes("send") === true ? { task } : task;
    response.setHeader("Content-Type", "application/json");
    response.end(JSON.stringify(isRpc ? { jsonrpc: "2.0", id: null, result } : result));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const card = bareCard(url, protocolBinding);
  const timers = new ManualTimers().rush();
  return {
    remote: await connect(card, { clock: timers, random: timers.random }),
    timers,
    heard,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** How long was waited between attempts; the limit of an attempt itself is two minutes. */
function waitsOf({ timers }: Busy): readonly number[] {
  return timers.delays.filter((ms) => ms < 120_000);
}

describe.each(["JSONRPC", "HTTP+JSON"])("over %s", (binding) => {
  it.each([
    [429, "7"],
    [503, "7"],
    [429, new Date(Date.now() + 40_000).toUTCString()],
  ])(
    "comes back after as long as an answer of %i with Retry-After %s asks",
    async (status, after) => {
      await using busy = await openBusy(binding, status, after);
      expect(await busy.remote.task("t")).toMatchObject({ id: "t" });
      expect(busy.heard).toHaveLength(3);
      expect(waitsOf(busy)).toHaveLength(2);
      for (const delay of waitsOf(busy)) {
        if (after === "7") expect(delay).toBe(7000);
        else expect(delay).toBeGreaterThan(5000);
      }
    },
  );

  it("does not send a message twice, unless it has a key", async () => {
    await using busy = await openBusy(binding, 503, "7");
    await expect(busy.remote.send("hi", { returnImmediately: true })).rejects.toMatchObject({
      code: "UNAVAILABLE",
      details: { retryAfterSeconds: 7 },
    });
    expect(busy.heard).toHaveLength(1);
    await using other = await openBusy(binding, 503, "7");
    const options = { returnImmediately: true, idempotencyKey: "k" };
    await other.remote.send("hi", options).catch(() => undefined);
    expect(other.heard).toHaveLength(3);
    expect(waitsOf(other)).toEqual([7000, 7000]);
  });
});
