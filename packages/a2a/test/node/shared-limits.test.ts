import { expect, it } from "vitest";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { call, rpc, say, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

it("servers that share a store share the limits of callers", async () => {
  // So slow that nobody gets a second call by waiting.
  const requests = { perSecond: 0.001, burst: 4 };
  const options = { store: createMemoryStore(), callLimits: { perAddress: { requests } } };
  const statuses = async (url: string, calls: number): Promise<readonly number[]> => {
    const all: number[] = [];
    for (let count = 0; count < calls; count += 1) {
      all.push((await send(url, "POST /", rpc("SendMessage", say("echo hi")))).status);
    }
    return all;
  };
  await using alone = await openServer(options);
  expect(await statuses(alone.url, 5)).toEqual([200, 200, 200, 200, 429]);
  // The second knows of the first from its first lease on.
  await using second = await openServer(options);
  expect(await statuses(second.url, 3)).toEqual([200, 200, 429]);
  expect((await call(second.url, "SendMessage", say("echo hi"))).error).toBeDefined();
});
