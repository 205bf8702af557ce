import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { Hop } from "../../contract/index.js";
import { copyAsCurl, copyAsParley, copyAsTypeScript } from "./copy-as.js";
import { longestFragment, packShare, unpackShare } from "./share-link.js";

const hop: Hop = {
  id: 1,
  direction: "sent",
  method: "POST",
  url: "https://agent.example/a2a",
  requestHeaders: [
    ["Content-Type", "application/json"],
    ["Authorization", "Bearer [redacted]"],
    ["Host", "agent.example"],
  ],
  requestBody: JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    method: "SendStreamingMessage",
    params: {
      message: { messageId: "m", role: "ROLE_USER", taskId: "t1", parts: [{ text: "it's $HOME" }] },
    },
  }),
  frames: [],
  timing: { startedAt: 0 },
};

describe("copies of a hop", () => {
  it("are commands of curl with $TOKEN for secrets", () => {
    const command = copyAsCurl(hop);
    expect(command).toContain(`-H 'Authorization: Bearer '"$TOKEN"''`);
    expect(command).not.toContain("Host");
    // A shell reads back what was sent.
    const words = execFileSync(
      "/bin/sh",
      ["-c", `TOKEN=s3; set -- ${command}; printf '%s\\n' "$@"`],
      { encoding: "utf8" },
    );
    expect(words).toContain(hop.requestBody);
    expect(words).toContain("Authorization: Bearer s3");
  });

  it("are commands of parley", () => {
    expect(copyAsParley(hop, "https://agent.example")).toBe(
      String.raw`parley send 'it'\''s $HOME' -a 'https://agent.example' --task-id 't1' --stream`,
    );
  });

  it("are programs", () => {
    const program = copyAsTypeScript(hop, "https://agent.example");
    expect(program).toContain(`agent.stream("it's $HOME", {\n  "taskId": "t1"\n})`);
    expect(program).toContain("process.env.TOKEN");
    expect(program).not.toContain("redacted");
  });
});

describe("links that hold a recording", () => {
  it("give back what they were made of", async () => {
    const text = '{"kind":"recording","format":1}\n'.repeat(50);
    const packed = await packShare(text);
    expect(packed).toMatch(/^[\w-]+$/);
    expect(await unpackShare(packed ?? "")).toBe(text);
  });

  it("hold 8 KB at most", async () => {
    const random = Array.from({ length: 2000 }, () => crypto.randomUUID()).join("");
    expect(await packShare(random)).toBeUndefined();
    expect(longestFragment).toBe(8192);
  });

  it("unpack to a bounded size", async () => {
    const packed = await packShare("a".repeat(5_000_000));
    expect(packed).toBeDefined();
    await expect(unpackShare(packed ?? "")).rejects.toThrow("more than a recording may have");
  });
});
