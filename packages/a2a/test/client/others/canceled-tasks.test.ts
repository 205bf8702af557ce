import { describe, expect, it } from "vitest";
import type { Task, TaskState } from "@parley/a2a";
import { A2AError } from "../../../src/protocol/internal.js";
import { interfaces } from "../open-agent.js";
import { openPeer } from "./open-peer.js";
import type { Script } from "./open-peer.js";

/** A server that cancels no task, since it has ended in this state. */
function refusing(state: TaskState): Script {
  const task: Task = { id: "t", contextId: "c", status: { state } };
  return {
    cancelTask() {
      throw new A2AError("TASK_NOT_CANCELABLE", "the task has ended");
    },
    getTask: () => task,
  };
}

describe.each(interfaces)("cancel over %s in version %s", (...chosen) => {
  it("succeeds if the server refuses because the task is canceled already", async () => {
    await using peer = await openPeer(chosen, refusing("TASK_STATE_CANCELED"));
    expect((await peer.agent.cancel("t")).status.state).toBe("TASK_STATE_CANCELED");
    expect(peer.asked).toEqual(["cancelTask", "getTask"]);
  });

  it("is refused if the task has ended otherwise", async () => {
    await using peer = await openPeer(chosen, refusing("TASK_STATE_COMPLETED"));
    await expect(peer.agent.cancel("t")).rejects.toMatchObject({ code: "TASK_NOT_CANCELABLE" });
  });

  it("is refused with the server's words if the task cannot be read", async () => {
    const { cancelTask } = refusing("TASK_STATE_CANCELED");
    await using peer = await openPeer(chosen, cancelTask ? { cancelTask } : {});
    await expect(peer.agent.cancel("t")).rejects.toMatchObject({ code: "TASK_NOT_CANCELABLE" });
  });

  it("leaves the operation of the service as the server answers it", async () => {
    await using peer = await openPeer(chosen, refusing("TASK_STATE_CANCELED"));
    await expect(peer.agent.service.cancelTask({ id: "t" })).rejects.toMatchObject({
      code: "TASK_NOT_CANCELABLE",
    });
    expect(peer.asked).toEqual(["cancelTask"]);
  });
});
