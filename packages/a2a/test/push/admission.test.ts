import { describe, expect, it } from "vitest";
import { createPushSender } from "@parley/a2a/node";
import type { PushSenderOptions } from "@parley/a2a/node";
import { verifies } from "../spec/verifies.js";
import { openReceiver } from "../support/servers/open-receiver.js";

const url = "https://hook.example/";

function openSender(options: PushSenderOptions = {}) {
  const sender = createPushSender(options);
  return { ...sender, [Symbol.asyncDispose]: () => sender.close() };
}

function violation(field: string) {
  return { code: "INVALID_PARAMS", details: { fieldViolations: [{ field }] } };
}

describe("a webhook", () => {
  it.each([
    "https://hook.example/",
    "https://hook.example:443/",
    "https://hook.example:8443/path?query",
    "https://hook.example:1024/",
    "https://8.8.8.8/",
    "https://[2606:4700:4700::1111]/",
    "https://bücher.example/",
    "https://localhost.example/",
  ])("is admitted at %s", async (allowed) => {
    await using sender = openSender();
    await expect(sender.admit({ url: allowed })).resolves.toBeUndefined();
  });

  it.each([
    "http://hook.example/",
    "https://hook.example:22/",
    "https://hook.example:25/",
    "https://hook.example:1023/",
    "https://hook.example:0/",
  ])("is refused at %s", async (refused) => {
    await using sender = openSender();
    await expect(sender.admit({ url: refused })).rejects.toMatchObject(violation("url"));
  });

  it.each([
    ["http://127.0.0.1:9000/hook", "its scheme is not https"],
    ["http://localhost:9000/hook", "its scheme is not https"],
    ["http://[::1]:9000/hook", "its scheme is not https"],
    ["https://127.0.0.1:9000/hook", "its address is not a public one"],
    ["https://localhost:9000/hook", "its host is not a public one"],
    ["https://10.0.0.1/hook", "its address is not a public one"],
  ])("is refused at %s with the option that allows it", async (refused, reason) => {
    await using sender = openSender();
    const help = "a server in development allows it with the option push.allowPrivate";
    await expect(sender.admit({ url: refused })).rejects.toThrowError(
      `this webhook is not allowed: ${reason}; ${help}`,
    );
    await using open = openSender({ allowPrivate: true });
    await expect(open.admit({ url: refused })).resolves.toBeUndefined();
  });

  it("is refused at a public place over http without a hint, as no network has to be opened", async () => {
    verifies("push:https");
    await using sender = openSender();
    await expect(sender.admit({ url: "http://hook.example/" })).rejects.toThrowError(
      /its scheme is not https$/,
    );
  });

  it("is admitted over http, or at other ports, where an operator says so", async () => {
    await using sender = openSender({ schemes: ["http"], isPortAllowed: (port) => port === 81 });
    await sender.admit({ url: "http://hook.example:81/" });
    await expect(sender.admit({ url: "http://hook.example/" })).rejects.toThrow(/port 80/);
    await expect(sender.admit({ url: "https://hook.example:81/" })).rejects.toThrow(/scheme/);
  });

  it("is refused where an operator lists those that are called", async () => {
    verifies("push:allowlist");
    await using sender = openSender({ isAllowed: ({ hostname }) => hostname === "hook.example" });
    await sender.admit({ url });
    await expect(sender.admit({ url: "https://other.example/" })).rejects.toMatchObject(
      violation("url"),
    );
  });

  it("is admitted in the networks that an operator opens, and in no others", async () => {
    await using sender = openSender({ allowPrivate: ["10.20.0.0/16", "fd00:1::/32", "10.0.0.1"] });
    for (const host of ["10.20.30.40", "10.0.0.1", "[fd00:1::5]", "hook.internal"]) {
      await sender.admit({ url: `https://${host}/` });
    }
    for (const host of ["10.21.0.1", "10.0.0.2", "[fd00:2::5]", "127.0.0.1", "[::1]"]) {
      await expect(sender.admit({ url: `https://${host}/` })).rejects.toMatchObject(
        violation("url"),
      );
    }
    expect(() => createPushSender({ allowPrivate: ["everything"] })).toThrow(/nor a network/);
  });
});

describe("a configuration that cannot be sent", () => {
  it.each([
    ["token", { token: "a\r\nX-Injected: 1" }],
    ["authentication.scheme", { authentication: { scheme: "Bearer x\r\nX-Injected: 1" } }],
    ["authentication.credentials", { authentication: { scheme: "Bearer", credentials: "a\nb" } }],
    ["headers", { headers: { "X Injected": "1" } }],
    ["headers.X-Route", { headers: { "X-Route": "a\r\nX-Injected: 1" } }],
  ])("is refused by its %s", async (field, config) => {
    await using sender = openSender();
    await expect(sender.admit({ url, ...config })).rejects.toMatchObject(violation(field));
  });
});

describe("a receiver that is asked first", () => {
  const wordOf = (path: string) => new URL(path, "http://x").searchParams.get("validationToken");

  it("is admitted when it repeats the word", async () => {
    await using receiver = await openReceiver({
      answer: (response, { path }) => response.end(wordOf(path)),
    });
    await using sender = openSender({ allowPrivate: true, challenge: true });
    const authentication = { scheme: "Bearer", credentials: "abc" };
    await sender.admit({ url: `${receiver.url}/hook?a=1`, token: "t", authentication });
    expect(receiver.received).toMatchObject([
      {
        method: "GET",
        path: expect.stringMatching(/^\/hook\?a=1&validationToken=[\w-]{36}$/),
        headers: { authorization: "Bearer abc", "x-a2a-notification-token": "t" },
      },
    ]);
  });

  it.each([
    ["says nothing", (): string => ""],
    ["says something else", (): string => "hello"],
    ["says more", (word: string | null): string => `${word}${"x".repeat(1000)}`],
  ])("is refused when it %s", async (_, reply) => {
    await using receiver = await openReceiver({
      answer: (response, { path }) => response.end(reply(wordOf(path))),
    });
    await using sender = openSender({ allowPrivate: true, challenge: true });
    await expect(sender.admit({ url: receiver.url })).rejects.toMatchObject({
      ...violation("url"),
      message: "url: the receiver did not answer the validation challenge",
    });
  });

  it("is refused when it repeats the word with an error", async () => {
    await using receiver = await openReceiver({
      answer: (response, { path }) => response.writeHead(500).end(wordOf(path)),
    });
    await using sender = openSender({ allowPrivate: true, challenge: true });
    await expect(sender.admit({ url: receiver.url })).rejects.toMatchObject(violation("url"));
  });

  it("is refused in the same words when it cannot be reached, or is not to be", async () => {
    await using receiver = await openReceiver();
    const closed = receiver.url;
    await receiver[Symbol.asyncDispose]();
    await using sender = openSender({ allowPrivate: true, challenge: true });
    const message = "url: the receiver did not answer the validation challenge";
    await expect(sender.admit({ url: closed })).rejects.toThrow(message);
    await using strict = openSender({
      challenge: true,
      resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    await expect(strict.admit({ url })).rejects.toThrow(message);
  });
});
