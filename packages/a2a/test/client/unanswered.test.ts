import { expect, it } from "vitest";
import { connect } from "@parley/a2a/client";
import type { Timers } from "@parley/a2a/client";
import { openDemo } from "../interop/open-demo.js";
import { openChaosProxy } from "./chaos-proxy.js";
import { hurriedTimers } from "./hurried-timers.js";

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
  // Once both have hung there is no hurry: the answer may take as long as a busy machine does.
  const timers: Timers = {
    ...hurriedTimers,
    after: (delayMs, callback) =>
      hurriedTimers.after(proxy.connections < 2 ? delayMs : delayMs * 100, callback),
  };
  const agent = await connect({ ...direct.card, supportedInterfaces }, { timers });
  expect((await agent.task(task?.id ?? "")).id).toBe(task?.id);
  expect(proxy.connections).toBe(3);
});

it("does not wait for a card for ever either", async () => {
  await using demo = await openDemo();
  await using proxy = await openChaosProxy(demo.url, [{ kind: "hang", afterBytes: 0 }]);
  const agent = await connect(proxy.url, { timers: hurriedTimers });
  expect(agent.card.name).toBe("Parley demo");
});
