import { setImmediate as turn } from "node:timers/promises";
import { expect, it, vi } from "vitest";
import { agent, openRuntime } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";

it("a fast stream is few appends, even in a store that is never busy", async () => {
  const store = createMemoryStore();
  const append = vi.spyOn(store, "append");
  const counter = agent({
    name: "Counter",
    description: "Counts",
    async *run() {
      for (let said = 0; said < 400; said += 1) {
        await turn();
        yield `${said} `;
      }
    },
  });
  await using runtime = await openRuntime({ agent: counter, store });
  const message = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "go" }] } as const;
  const { task } = await runtime.sendMessage({ message }, { version: "1.0" });
  expect(task?.artifacts?.[0]?.parts).toHaveLength(400);
  expect(append.mock.calls.length).toBeLessThanOrEqual(100);
});
