import { expect, test } from "vitest";
import { parseNatsServers } from "./nats-servers.js";

test.each([
  ["nats://localhost:4222", { servers: ["localhost:4222"], isEncrypted: false }],
  ["localhost", { servers: ["localhost:4222"], isEncrypted: false }],
  ["tls://nats.example.com", { servers: ["nats.example.com:4222"], isEncrypted: true }],
  [
    "nats://ada:se%2Fcret@one:1111, nats://two",
    { servers: ["one:1111", "two:4222"], isEncrypted: false, user: "ada", pass: "se/cret" },
  ],
  ["nats://t0ken@one", { servers: ["one:4222"], isEncrypted: false, token: "t0ken" }],
  [
    "nats://one?cluster=blue,nats://two",
    { servers: ["one:4222", "two:4222"], isEncrypted: false, cluster: "blue" },
  ],
  ["nats://[::1]:4223", { servers: ["[::1]:4223"], isEncrypted: false }],
])("%s", (url, expected) => {
  expect(parseNatsServers(url)).toEqual(expected);
});

test.each([
  ["https://ada:secret@one", /^url begins with https:\/\/; expected nats:\/\/host:4222/u],
  ["nats://ada:secret@", /^url is no address of a NATS server/u],
  ["nats://ada:secret@one:port", /^url is no address of a NATS server/u],
  ["", /^url is no address of a NATS server/u],
  [
    "nats://ada:secret@one?clustr=blue",
    /^url has the parameter clustr; expected none but cluster/u,
  ],
  ["nats://ada:secret@one?cluster=a,two?cluster=b", /^url names several clusters/u],
])("%j is refused without showing a password", (url, message) => {
  expect(() => parseNatsServers(url)).toThrow(message);
  try {
    parseNatsServers(url);
  } catch (error) {
    expect(String(error)).not.toContain("secret");
  }
});
