import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./public-address.js";

describe("an address", () => {
  it.each([
    "1.1.1.1",
    "9.255.255.255",
    "11.0.0.0",
    "100.63.255.255",
    "100.128.0.0",
    "126.255.255.255",
    "128.0.0.0",
    "168.63.129.15",
    "169.253.255.255",
    "172.15.255.255",
    "172.32.0.0",
    "192.0.1.0",
    "192.167.255.255",
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "223.255.255.255",
    "2000::1",
    "2001:200::1",
    "2001:4860:4860::8888",
    "2003::1",
    "2606:4700:4700::1111",
    "3fff:1000::1",
  ])("is public: %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    "2606:4700:4700::1111%eth0",
    "1ffc::1",
    "4000::1",
    "::ffff:1.1.1.1",
    "1.1.1",
    "0x1.1.1.1",
    "localhost",
    "",
  ])("is not public, or none at all: %s", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});
