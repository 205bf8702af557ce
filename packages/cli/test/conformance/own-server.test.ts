import { describe, expect, it } from "vitest";
import { agent } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { demoAgent } from "../../src/demo-agent.js";
import { checkAgent, failuresOf } from "./check-agent.js";

/** An agent that declares as little as it can, and answers with messages. */
const quietAgent = agent({
  name: "Quiet",
  description: "Repeats",
  version: "1",
  inputModes: ["text/plain"],
  capabilities: { streaming: false, pushNotifications: false },
  run: ({ text }) => text,
});

describe("our own server", () => {
  it.each([
    { title: "tolerant, with tasks", strict: false, what: demoAgent, message: "task hello" },
    { title: "strict, with tasks", strict: true, what: demoAgent, message: "task hello" },
    { title: "tolerant, with messages", strict: false, what: quietAgent, message: "hello" },
    { title: "strict, with messages", strict: true, what: quietAgent, message: "hello" },
  ])(
    "meets every requirement that shows from outside: $title",
    async ({ strict, what, message }) => {
      const grpc = { port: 0, inCard: true };
      await using server = await serve(what, { port: 0, strict, grpc, store: createMemoryStore() });
      const results = await checkAgent(server.url, { message, slowMessage: "stream 3 50" });
      expect(failuresOf(results)).toEqual({});
      expect(results.filter(({ status }) => status === "fail")).toEqual([]);
      const passed = new Set(
        results.flatMap((one) => (one.status === "pass" ? [one.interface] : [])),
      );
      expect([...passed]).toEqual(
        expect.arrayContaining(["JSONRPC 1.0", "HTTP+JSON 1.0", "GRPC 1.0"]),
      );
    },
  );
});
