import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, it } from "vitest";
import type { AgentCard } from "@parley/a2a";
import { connect } from "@parley/a2a/client";

/** Where node keeps what its fetch sends requests with. */
const key = Symbol.for("undici.globalDispatcher.1");
const platform = globalThis as unknown as Record<symbol, object>;

let before: object | undefined;
afterEach(() => {
  if (before !== undefined) platform[key] = before;
});

/** Makes node's fetch give up after a moment in place of five minutes. */
async function hurryFetch(): Promise<void> {
  // It is there once fetch was used.
  await fetch("data:,").then((response) => response.text());
  const dispatcher = platform[key] ?? {};
  before = dispatcher;
  const Agent = dispatcher.constructor as new (options: object) => object;
  platform[key] = new Agent({ headersTimeout: 300, bodyTimeout: 300 });
}

it.each([
  ["before it answers", false],
  ["after it has begun to answer", true],
])("waits for an agent that is silent %s for longer than node's fetch would", async (_, begins) => {
  const finish: (() => void)[] = [];
  const server = createServer((request, response) => {
    request.resume();
    response.setHeader("Content-Type", "application/json");
    if (begins) response.write(" ");
    finish.push(() => {
      const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "at last" }] };
      response.end(JSON.stringify({ jsonrpc: "2.0", id: 1, result: { message } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await hurryFetch();
  const card: AgentCard = {
    name: "Slow",
    description: "Thinks",
    version: "1",
    capabilities: {},
    defaultInputModes: [],
    defaultOutputModes: [],
    skills: [],
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  };
  const agent = await connect(card);
  const answer = agent.text("think");
  const given = expect(answer).resolves.toBe("at last");
  // By the time that the platform has given up twice, it would have given up on the answer.
  for (let turn = 0; turn < 2; turn += 1) {
    const other = fetch(url, { method: "POST" }).then((response) => response.text());
    await expect(other).rejects.toThrowError();
  }
  for (const one of finish) one();
  await given;
  await new Promise((resolve) => {
    server.close(resolve);
    server.closeAllConnections();
  });
});
