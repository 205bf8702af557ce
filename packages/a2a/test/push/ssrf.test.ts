import type { LookupAddress } from "node:dns";
import { isIPv6 } from "node:net";
import { describe, expect, it } from "vitest";
import { A2AError } from "@parley/a2a";
import { createPushSender } from "@parley/a2a/node";
import type { PushSenderOptions } from "@parley/a2a/node";
import { verifies } from "../spec/verifies.js";
import { notificationTo, patient } from "./notifications.js";
import { openReceiver } from "../support/servers/open-receiver.js";

/** Nothing but the address stands in the way, and a name stands for what the test says. */
function openSender(addresses: readonly string[] = [], more: PushSenderOptions = {}) {
  const lookups: string[] = [];
  const sender = createPushSender({
    schemes: ["https", "http"],
    isPortAllowed: () => true,
    resolve: async (hostname) => {
      lookups.push(hostname);
      return addresses.map(asAddress);
    },
    ...more,
  });
  return { ...sender, lookups, [Symbol.asyncDispose]: () => sender.close() };
}

function asAddress(address: string): LookupAddress {
  return { address, family: isIPv6(address.split("%", 1)[0] ?? "") ? 6 : 4 };
}

async function refusal(work: Promise<void>): Promise<A2AError> {
  const error = await work.then(
    () => expect.fail("it was admitted"),
    (reason: unknown) => reason,
  );
  return A2AError.is(error) ? error : expect.fail(String(error));
}

/** Hosts that are this machine, or none of the internet's. */
const hosts = [
  // As they are.
  "127.0.0.1",
  "127.8.9.10",
  "127.255.255.255",
  "0.0.0.0",
  "0.1.2.3",
  "10.0.0.1",
  "10.255.255.255",
  "100.64.0.1",
  "100.127.255.255",
  "100.100.100.200",
  "168.63.129.16",
  "169.254.169.254",
  "169.254.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.0.0.1",
  "192.0.0.192",
  "192.0.2.1",
  "192.88.99.1",
  "192.168.0.1",
  "198.18.0.1",
  "198.19.255.255",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "239.255.255.250",
  "240.0.0.1",
  "255.255.255.255",
  // In decimal, octal, hexadecimal, short, and mixed.
  "2130706433",
  "0",
  "017700000001",
  "0x7f000001",
  "0x7F.0x0.0x0.0x1",
  "0177.0.0.1",
  "0177.0.0.01",
  "0x7f.1",
  "127.1",
  "127.0.1",
  "0x7f.0.0.01",
  "2852039166",
  "0xa9fea9fe",
  "0251.0376.0251.0376",
  "169.254.43518",
  "3232235521",
  "10.1",
  // With a dot at the end.
  "127.0.0.1.",
  "2130706433.",
  "localhost.",
  "localhost..",
  "LOCALHOST.",
  // Digits, letters and dots from elsewhere in Unicode, and escapes.
  "①②⑦.⓪.⓪.①",
  "１２７.０.０.１",
  "127。0。0。1",
  "127．0．0．1",
  "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
  "%31%32%37.0.0.1",
  "ⓛⓞⓒⓐⓛⓗⓞⓢⓣ",
  "ｌｏｃａｌｈｏｓｔ",
  "loc%61lhost",
  "local\u00adhost",
  "lo\tcal\nhost",
  // Names that are never public.
  "localhost",
  "LocalHost",
  "a.localhost",
  "a.b.localhost.",
  "localhost.localdomain",
  "printer.local",
  "metadata.google.internal",
  "router.home.arpa",
  "metadata",
  "intranet",
  // IPv6, and IPv4 inside of it.
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[0000::0001]",
  "[::]",
  "[::ffff:127.0.0.1]",
  "[::ffff:7f00:1]",
  "[0:0:0:0:0:ffff:127.0.0.1]",
  "[::ffff:169.254.169.254]",
  "[::ffff:10.0.0.1]",
  "[::ffff:8.8.8.8]",
  "[::ffff:0:127.0.0.1]",
  "[::127.0.0.1]",
  "[::8.8.8.8]",
  "[64:ff9b::127.0.0.1]",
  "[64:ff9b::a9fe:a9fe]",
  "[64:ff9b:1::1]",
  "[2002:7f00:1::]",
  "[2002:a9fe:a9fe::1]",
  "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
  "[2001:2::1]",
  "[2001:10::1]",
  "[2001:db8::1]",
  "[3fff::1]",
  "[3ffe::1]",
  "[100::1]",
  "[5f00::1]",
  "[fc00::1]",
  "[fd00:ec2::254]",
  "[fdff:ffff::1]",
  "[fe80::1]",
  "[febf::1]",
  "[fec0::1]",
  "[ff02::1]",
  "[ff0e::1]",
];

/** URLs that look as if they led elsewhere, or nowhere. */
const tricks = (port: number): readonly string[] => [
  `http://example.com@127.0.0.1:${port}/`,
  `http://example.com:443@127.0.0.1:${port}/`,
  `http://example.com%2f@127.0.0.1:${port}/`,
  `http://127.0.0.1:${port}#@example.com/`,
  `http://127.0.0.1:${port}?@example.com/`,
  `http://127.0.0.1:${port}\\@example.com/`,
  `http://1.1.1.1 &@127.0.0.1:${port}# @3.3.3.3/`,
  `http:127.0.0.1:${port}/`,
  `http:/127.0.0.1:${port}/`,
  `http:\\\\127.0.0.1:${port}\\`,
  `http:///127.0.0.1:${port}/`,
  `\u0001http://127.0.0.1:${port}/`,
  `HTTP://127.0.0.1:${port}/`,
  `https://user:password@example.com:${port}/`,
  `https://user@example.com:${port}/`,
  `https:///hook`,
  // Not URLs at all, and schemes that are not for the web.
  "",
  "hook",
  "//127.0.0.1/",
  "http://",
  "http://:80/",
  "http://[::1",
  `http://[fe80::1%25lo]:${port}/`,
  `http://[::1%lo]:${port}/`,
  "http://256.256.256.256/",
  "http://127.0.0.1:99999/",
  "http://exa mple.com/",
  "file:///etc/passwd",
  `ftp://127.0.0.1:${port}/`,
  `gopher://127.0.0.1:${port}/_GET`,
  `ws://127.0.0.1:${port}/`,
  "data:text/plain,hello",
  "javascript:alert(1)",
  `blob:http://127.0.0.1:${port}/1`,
];

describe("a webhook that is not the internet's", () => {
  it("is refused when it is registered and when it is called, without a connection", async () => {
    verifies("push:private-addresses", "push:local-addresses");
    await using receiver = await openReceiver({ host: "::" });
    await using sender = openSender(["127.0.0.1", "::1"]);
    const { port } = receiver;
    const urls = [...hosts.map((host) => `http://${host}:${port}/hook`), ...tricks(port)];
    for (const url of urls) {
      const error = await refusal(sender.admit({ url }));
      expect(error, url).toMatchObject({
        code: "INVALID_PARAMS",
        message: expect.stringMatching(/^url: this webhook is not allowed: /),
        details: { fieldViolations: [{ field: "url" }] },
      });
      const outcome = await sender.send(notificationTo(url), patient);
      expect(outcome, url).toMatchObject({
        kind: "failed",
        reason: expect.stringMatching(/^the webhook is refused: /),
        isFinal: true,
      });
    }
    expect(sender.lookups).toEqual([]);
    expect(receiver.connections).toBe(0);
  });

  it.each([
    ["127.0.0.1"],
    ["::1"],
    ["0.0.0.0"],
    ["::"],
    ["::ffff:127.0.0.1"],
    ["::ffff:7f00:1"],
    ["10.0.0.1", "192.168.0.1", "fd00::1"],
    ["169.254.169.254"],
    ["fe80::1%lo"],
    ["64:ff9b::7f00:1"],
    ["2002:7f00:1::"],
    ["not an address"],
    [],
  ])("is refused when a name stands for %j %j %j, without a connection", async (...addresses) => {
    verifies("push:private-addresses");
    await using receiver = await openReceiver({ host: "::" });
    await using sender = openSender(addresses);
    for (const host of ["hook.example", "xn--bcher-kva.example", "hook.example."]) {
      const url = `http://${host}:${receiver.port}/`;
      await sender.admit({ url });
      expect(await sender.send(notificationTo(url), patient)).toEqual({
        kind: "failed",
        reason: "the webhook is refused: its name does not stand for a public address",
        isFinal: false,
      });
    }
    expect(sender.lookups).toHaveLength(3);
    expect(receiver.connections).toBe(0);
  });

  it("is asked by the system's resolver unless a test brings its own", async () => {
    await using receiver = await openReceiver();
    const sender = createPushSender({ schemes: ["http"], allowPrivate: ["192.0.2.1"] });
    const url = `http://localhost:${receiver.port}/`;
    const outcome = await sender.send(notificationTo(url), patient);
    await sender.close();
    expect(outcome).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("public address"),
    });
    expect(receiver.connections).toBe(0);
  });
});

/** In these tests 127.0.0.2 stands for the internet, which tests keep out of, and 127.0.0.1 for this machine. */
const internet = { allowPrivate: ["127.0.0.2/32"] };

async function openBoth() {
  const outside = await openReceiver({ host: "127.0.0.2" });
  const inside = await openReceiver({ host: "127.0.0.1", port: outside.port });
  return {
    outside,
    inside,
    url: `http://hook.example:${outside.port}/`,
    async [Symbol.asyncDispose]() {
      await outside[Symbol.asyncDispose]();
      await inside[Symbol.asyncDispose]();
    },
  };
}

describe("a name that changes what it stands for", () => {
  it("is connected to at the very address that was checked", async () => {
    await using both = await openBoth();
    const answers = [["127.0.0.2"], ["127.0.0.1"], ["127.0.0.1"], ["127.0.0.2"]];
    await using sender = openSender([], {
      ...internet,
      resolve: async () => (answers.shift() ?? []).map(asAddress),
    });
    const notification = notificationTo(both.url);
    expect(await sender.send(notification, patient)).toEqual({ kind: "arrived" });
    // One answer was used up: what was checked is what was connected to.
    expect(answers).toHaveLength(3);
    both.outside.hangUp();
    for (const _ of ["once", "again"]) {
      const outcome = await sender.send(notification, patient);
      expect(outcome).toMatchObject({ kind: "failed", isFinal: false });
    }
    expect(await sender.send(notification, patient)).toEqual({ kind: "arrived" });
    expect(both.outside.received).toHaveLength(2);
    expect(both.inside.connections).toBe(0);
  });

  it.each([
    [["127.0.0.1", "127.0.0.2"]],
    [["127.0.0.2", "127.0.0.1"]],
    [["::1", "127.0.0.1", "127.0.0.2", "0.0.0.0"]],
  ])("or stands for %j is connected to where it may be alone", async (addresses) => {
    await using both = await openBoth();
    await using sender = openSender(addresses, internet);
    const outcome = await sender.send(notificationTo(both.url), patient);
    expect(outcome).toEqual({ kind: "arrived" });
    expect(both.outside.received).toHaveLength(1);
    expect(both.inside.connections).toBe(0);
  });

  it("does not fall back to a forbidden address when the allowed one does not answer", async () => {
    await using both = await openBoth();
    await both.outside[Symbol.asyncDispose]();
    await using sender = openSender(["127.0.0.2", "127.0.0.1"], internet);
    expect(await sender.send(notificationTo(both.url), patient)).toEqual({
      kind: "failed",
      reason: "the receiver cannot be reached (ECONNREFUSED)",
    });
    expect(both.inside.connections).toBe(0);
  });
});

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("is not followed: %i", async (status) => {
    await using inside = await openReceiver();
    await using outside = await openReceiver({
      host: "127.0.0.2",
      answer: (response) => response.writeHead(status, { Location: inside.url }).end(),
    });
    await using sender = openSender([], internet);
    expect(await sender.send(notificationTo(outside.url), patient)).toEqual({
      kind: "failed",
      reason: `the receiver redirects (${status}), which is not followed`,
    });
    expect(inside.connections).toBe(0);
  });
});
