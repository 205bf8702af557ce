import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { StreamResponse, Task, TaskState } from "@parley/a2a";
import type { RemoteAgent } from "@parley/a2a/client";
import type { Server } from "@parley/a2a/node";
import { openDemo } from "../../support/servers/open-demo.js";
import { connectOver, interfaces, readAll, statesOf } from "../open-agent.js";
import { openPeer } from "./open-peer.js";

const one = { maxStreamsPerHost: 1 };

function taskOf(state: TaskState): Task {
  return { id: "t", contextId: "c", status: { state } };
}

let demo: Server;
beforeAll(async () => {
  demo = await openDemo({ grpc: { port: 0 } });
});
afterAll(async () => {
  await demo[Symbol.asyncDispose]();
});

/** Watches a task again and again with one stream at a time: each has to give way to the next. */
async function watchThrice(agent: RemoteAgent, id: string): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    const { events } = await readAll(agent.watch(id));
    expect(statesOf(events).at(-1)).toBe("COMPLETED");
  }
}

describe.each(interfaces)("a stream that is left gives way, over %s in version %s", (...chosen) => {
  it("where its task has ended before", async () => {
    const options = { ...one, grpcAddress: demo.grpcAddress };
    const agent = await connectOver(demo.url, chosen, options);
    const { task } = await agent.send("task haiku");
    await watchThrice(agent, task?.id ?? "");
  });

  it("where the server does not close it", async () => {
    const status = { state: "TASK_STATE_COMPLETED" as const };
    const events: StreamResponse[] = [
      { task: taskOf("TASK_STATE_WORKING") },
      { statusUpdate: { taskId: "t", contextId: "c", status } },
    ];
    let looks = 0;
    await using peer = await openPeer(
      chosen,
      {
        subscribeToTask: () => ({ events, staysOpen: true }),
        getTask: () =>
          taskOf((looks += 1) % 2 === 1 ? "TASK_STATE_WORKING" : "TASK_STATE_COMPLETED"),
      },
      one,
    );
    await watchThrice(peer.agent, "t");
  });
});
