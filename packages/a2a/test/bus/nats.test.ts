import { afterAll, beforeAll, describe, test } from "vitest";
import { connectNatsBus } from "../../src/bus/nats/index.js";
import type { Bus } from "../../src/bus/index.js";
import { checkBus } from "../../src/testing/index.js";
import { findNats } from "../support/postgres/find-programs.js";
import { startNats } from "../support/postgres/start-nats.js";
import type { TestNats } from "../support/postgres/start-nats.js";
import { openCutProxy } from "../support/proxies/cut-proxy.js";
import type { CutProxy } from "../support/proxies/cut-proxy.js";

const program = findNats();

describe.skipIf(!program.isThere)(`the bus over NATS holds the contract, ${program.name}`, () => {
  let nats: TestNats;
  let proxy: CutProxy;
  beforeAll(async () => {
    nats = await startNats();
    proxy = await openCutProxy(nats.url);
  });
  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
    await nats.stop();
  });
  const open = (url: string, cluster = "one"): Promise<Bus> =>
    connectNatsBus({ url, cluster, report: () => undefined });
  const cases = checkBus(() => open(proxy.through(nats.url)), {
    share: () => open(nats.url),
    stranger: () => open(nats.url, "two"),
    cut: async () => {
      await proxy.cut();
      return () => proxy.resume();
    },
  });
  for (const { name, run, skipped } of cases) test(name, { skip: skipped !== undefined }, run);
});
