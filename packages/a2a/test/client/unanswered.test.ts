import { expect, it } from "vitest";
import { connect } from "@parley/a2a/client";
import { openDemo } from "../support/servers/open-demo.js";
import { openChaosProxy } from "../support/proxies/chaos-proxy.js";
import type { ChaosProxy } from "../support/proxies/chaos-proxy.js";
import { ManualTimers } from "../support/time/manual-timers.js";

/** Two minutes pass, once so many connections have fallen silent. */
async function passSilence(proxy: ChaosProxy, silent: number, timers: ManualTimers): Promise<void> {
  await expect.poll(() => proxy.silent).toBe(silent);
  await timers.advance(120_000);
}

it("does not wait for the answer to a question for ever, but asks again", async () => {
  await using demo = await openDemo();
  const direct = await connect(demo.url);
  const { task } = await direct.send("task one");
  await using proxy = await openChaosProxy(demo.url, [
    { kind: "hang", afterBytes: 0 },
    { kind: "hang", afterBytes: 20 },
  ]);
  const supportedInterfaces = [
    { url: proxy.url, protocolBinding: "JSONRPC", protocolVersion: "1.0" },
  ];
  const timers = new ManualTimers().rush();
  const agent = await connect(
    { ...direct.card, supportedInterfaces },
    { clock: timers, random: timers.random },
  );
  const answer = agent.task(task?.id ?? "");
  await passSilence(proxy, 1, timers);
  await passSilence(proxy, 2, timers);
  expect((await answer).id).toBe(task?.id);
  expect(timers.delays).toEqual([120_000, 200, 120_000, 400, 120_000]);
});

it("does not wait for a card for ever either", async () => {
  await using demo = await openDemo();
  await using proxy = await openChaosProxy(demo.url, [{ kind: "hang", afterBytes: 0 }]);
  const timers = new ManualTimers().rush();
  const connecting = connect(proxy.url, { clock: timers });
  await passSilence(proxy, 1, timers);
  expect((await connecting).card.name).toBe("Parley demo");
});
