import { afterEach, describe, expect, it, vi } from "vitest";
import type { AgentService } from "@parley/a2a";
import { createFetchHandler } from "@parley/a2a/http";
import { demoAgent } from "../../../cli/src/demo-agent.js";
import { open, rpc } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import { createStubService } from "./stub-service.js";

describe("a silent stream", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** One event, and then nothing until its reader leaves. */
  const service: AgentService = {
    ...createStubService(() => expect.fail("not called")),
    async *subscribeToTask({ id }, { signal }) {
      yield { response: { task: { id, status: { state: "TASK_STATE_WORKING" } } }, sequence: 1 };
      await new Promise((resolve) => signal?.addEventListener("abort", resolve));
    },
  };
  const card = demoAgent.card.bind(demoAgent);
  const handle = createFetchHandler({ mounts: [{ agent: { service, card } }] });

  it.each([
    ["JSON-RPC", "/", rpc("SubscribeToTask", { id: "t1" })],
    ["JSON-RPC of 0.3", "/", rpc("tasks/resubscribe", { id: "t1" })],
    ["REST", "/tasks/t1:subscribe", {}],
    ["REST of 0.3", "/v1/tasks/t1:subscribe", {}],
  ])("is kept alive every 15 s over %s", async (_, path, { json }) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const headers = { "Content-Type": "application/json" };
    const sent = { method: "POST", headers, body: JSON.stringify(json) };
    const request = new Request(`http://agent.example${path}`, json === undefined ? {} : sent);
    const { body } = await handle(request);
    const reader = (body ?? expect.fail("no body")).getReader();
    let text = "";
    const reading = (async () => {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        text += new TextDecoder().decode(next.value);
      }
    })();
    await vi.advanceTimersByTimeAsync(0);
    expect(text).toMatch(/^id: 1\ndata: /);
    for (let beats = 1; beats <= 3; beats += 1) {
      text = "";
      await vi.advanceTimersByTimeAsync(14_999);
      expect(text).toBe("");
      await vi.advanceTimersByTimeAsync(1);
      expect(text).toBe(": keep-alive\n\n");
    }
    await reader.cancel();
    await reading;
  });
});

describe("a connection between two requests", () => {
  const told = async (url: string): Promise<string | undefined> => {
    const answer = await open(url, "GET /healthz", { headers: { Connection: "keep-alive" } });
    answer.destroy();
    return answer.headers["keep-alive"] as string | undefined;
  };

  it("is kept for 65 s", async () => {
    await using server = await openServer();
    expect(await told(server.url)).toBe("timeout=65");
  });

  it("is kept for as long as it is told", async () => {
    await using server = await openServer({ timeouts: { idleMs: 7000 } });
    expect(await told(server.url)).toBe("timeout=7");
  });
});
