import { expect, it } from "vitest";
import { trustProxies } from "./trust-proxies.js";

it("believes the addresses and networks that were named, in either family, and no others", () => {
  const trusts = trustProxies(["192.0.2.7", "10.0.0.0/8", "2001:db8::/32", "loopback"]);
  const believed = ["192.0.2.7", "10.255.0.1", "2001:db8:1::5", "127.0.0.1", "127.9.9.9", "::1"];
  expect(believed.filter((address) => !trusts(address))).toEqual([]);
  const others = ["192.0.2.8", "11.0.0.1", "2001:db9::1", "::2", "", "unknown", "10.0.0.1:80"];
  expect(others.filter((address) => trusts(address))).toEqual([]);
});

it.each([
  "",
  "proxy.example",
  "10.0.0.0/33",
  "10.0.0.0/-1",
  "10.0.0.0/8/8",
  "10.0.0",
  "::/129",
  "10.0.0.0/",
])("refuses %j, which is neither", (proxy) => {
  expect(() => trustProxies([proxy])).toThrow("is not an address, nor a network");
});

it("believes a link-local proxy, whose address names the interface it came through", () => {
  const trusts = trustProxies(["fe80::/10"]);
  expect(["fe80::1%eth0", "fe80::2", "2001:db8::1%eth0"].map(trusts)).toEqual([true, true, false]);
  expect(trustProxies(["fe80::1%eth0"])("fe80::1%eth0")).toBe(true);
});
