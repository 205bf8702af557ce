import { describe, expect, it } from "vitest";
import { checkExposure, createHostCheck, isLoopback } from "./exposure.js";

describe("an agent that anyone may call", () => {
  const open = { open: ["Echo"], allowAnonymous: false, warn: () => undefined };

  it.each(["127.0.0.1", "127.3.4.5", "::1", "[::1]", "localhost", "LOCALHOST"])(
    "is served on %s",
    (host) => {
      expect(() => checkExposure({ ...open, host })).not.toThrow();
    },
  );

  it.each([
    "0.0.0.0",
    "::",
    "192.0.2.1",
    "example.com",
    "localhost.example.com",
    "127.example.com",
    "",
  ])("is not served on %j, and what to do about it is said", (host) => {
    expect(() => checkExposure({ ...open, host })).toThrow(
      /^"Echo" would be open to everyone .*auth.*127\.0\.0\.1.*--allow-anonymous/,
    );
  });

  it("is served anywhere when that is allowed, with a warning", () => {
    const warnings: string[] = [];
    const warn = (message: string) => warnings.push(message);
    checkExposure({ ...open, host: "0.0.0.0", allowAnonymous: true, warn });
    expect(warnings).toEqual([
      'Anyone who reaches 0.0.0.0 can call "Echo" and see all tasks: no authentication',
    ]);
    checkExposure({ ...open, host: "127.0.0.1", allowAnonymous: true, warn });
    expect(warnings).toHaveLength(1);
  });
});

it("agents whose callers are known are served anywhere, without a word", () => {
  const warn = () => {
    throw new Error("a warning");
  };
  checkExposure({ host: "0.0.0.0", open: [], allowAnonymous: true, warn });
});

it.each([
  ["localhost:4100", true],
  ["[::1]:4100", true],
  ["127.0.0.1", true],
  ["agents.example", true],
  ["agents.example:81", false],
  ["evil.example:4100", false],
  ["127.0.0.1.evil.example", false],
  ["localhost.evil.example", false],
  ["", false],
])("a server on this machine answers for %j: %s", (host, expected) => {
  expect(createHostCheck({ publicUrl: "https://agents.example/path" })(host)).toBe(expected);
});

it.each([
  ["agents.example", true],
  ["AGENTS.example:8443", true],
  ["other.example:81", true],
  ["other.example", false],
  ["other.example:82", false],
  ["evil.example", false],
  ["agents.example.evil.example", false],
  ["localhost", true],
])("a server with public hosts answers for %j: %s", (host, expected) => {
  const publicHosts = ["Agents.example", "other.example:81"];
  expect(createHostCheck({ publicHosts })(host)).toBe(expected);
});

it("the names of this machine are told from others", () => {
  expect(["a.localhost", "127.0.0.1", "128.0.0.1", "::2"].map(isLoopback)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
