import { Resolver } from "node:dns/promises";
import { describe, expect, it } from "vitest";
import { createResolveHost } from "../../src/node/push/resolve-host.js";
import { openNameServer } from "./name-server.js";
import type { Zone } from "./name-server.js";

async function openNames(zone: Zone, timeout = 30_000) {
  const server = await openNameServer(zone);
  const resolver = new Resolver({ timeout, tries: 1 });
  resolver.setServers([server.address]);
  const giveUp = (): void => resolver.cancel();
  return Object.assign(server, { resolveHost: createResolveHost(resolver), giveUp });
}

describe("the addresses of a name", () => {
  it("are those that the name servers say, of both families", async () => {
    await using names = await openNames({
      "both.example": ["192.0.2.1", "192.0.2.2", "2001:db8::1"],
      "four.example": ["127.0.0.1"],
      "six.example": ["::1"],
    });
    expect(await names.resolveHost("both.example")).toEqual([
      { address: "192.0.2.1", family: 4 },
      { address: "192.0.2.2", family: 4 },
      { address: "2001:db8::1", family: 6 },
    ]);
    expect(await names.resolveHost("four.example")).toEqual([{ address: "127.0.0.1", family: 4 }]);
    expect(await names.resolveHost("six.example.")).toEqual([{ address: "::1", family: 6 }]);
  });

  it.each([
    ["a name that is not there", "missing.example", "ENOTFOUND", 30_000],
    ["a name without addresses", "empty.example", "ENODATA", 30_000],
    ["a name server that does not answer", "slow.example", "ETIMEOUT", 500],
  ])("are missing for %s", async (_, name, code, timeout) => {
    const zone = { "empty.example": [], "slow.example": undefined };
    await using names = await openNames(zone, timeout);
    await expect(names.resolveHost(name)).rejects.toMatchObject({ code });
  });

  it("are asked for side by side: slow name servers hold up nobody else's", async () => {
    await using names = await openNames({
      "slow.example": undefined,
      "fast.example": ["192.0.2.1"],
    });
    const slow = Array.from({ length: 50 }, () =>
      names.resolveHost("slow.example").catch(() => "slow"),
    );
    expect(await Promise.race([...slow, names.resolveHost("fast.example")])).toEqual([
      { address: "192.0.2.1", family: 4 },
    ]);
    names.giveUp();
    await Promise.all(slow);
  });
});
