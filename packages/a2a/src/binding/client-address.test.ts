import { expect, it } from "vitest";
import { clientAddress } from "./client-address.js";

const trusts = (address: string): boolean => address.startsWith("10.");

it.each<[string, string, Record<string, string>, string]>([
  [
    "nobody but the connection is asked without a trusted proxy",
    "192.0.2.9",
    { "x-forwarded-for": "198.51.100.1" },
    "192.0.2.9",
  ],
  [
    "the caller of a trusted proxy",
    "10.0.0.1",
    { "x-forwarded-for": "198.51.100.1" },
    "198.51.100.1",
  ],
  [
    "the caller of the first trusted one",
    "10.0.0.1",
    { "x-forwarded-for": "6.6.6.6, 198.51.100.1, 10.0.0.2" },
    "198.51.100.1",
  ],
  [
    "RFC 7239 first",
    "10.0.0.1",
    {
      forwarded: 'for="[2001:db8::1]:4711";proto=https, for=10.0.0.2',
      "x-forwarded-for": "6.6.6.6",
    },
    "2001:db8::1",
  ],
  ["without its port", "10.0.0.1", { "x-forwarded-for": "198.51.100.1:8080" }, "198.51.100.1"],
  ["whole if it is IPv6", "10.0.0.1", { "x-forwarded-for": "2001:db8::7" }, "2001:db8::7"],
  [
    "the first where all are trusted",
    "10.0.0.1",
    { "x-forwarded-for": "10.0.0.3, 10.0.0.2" },
    "10.0.0.3",
  ],
  ["the proxy itself when it says nothing", "10.0.0.1", {}, "10.0.0.1"],
  [
    "the proxy itself when it hides whom it is called by",
    "10.0.0.1",
    { forwarded: "for=_hidden" },
    "10.0.0.1",
  ],
  [
    "the proxy itself when it says what is no address",
    "10.0.0.1",
    { "x-forwarded-for": "face" },
    "10.0.0.1",
  ],
])("the address of a caller is %s", (_, address, headers, expected) => {
  expect(clientAddress(address, (name) => headers[name], trusts)).toBe(expected);
});

it("an address that is not known stays so", () => {
  expect(
    clientAddress(
      undefined,
      () => "198.51.100.1",
      () => true,
    ),
  ).toBeUndefined();
});
