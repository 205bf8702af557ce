import type { PushOutcome, PushSender } from "../../../server/internal.js";
import type { Life } from "../cluster/life.js";
import type { World } from "../world/world.js";

/** Sends push notifications of one node to receivers that fail, hang, answer late, or take them without saying so. */
export function createSimulatedSender(world: World, life: Life): PushSender {
  const { scheduler, choices, faults, recorder } = world;
  return {
    admit: async () => undefined,
    close: async () => undefined,
    send: (notification) =>
      new Promise<PushOutcome>((resolve) => {
        const { config, sequence } = notification;
        const taskId = config.taskId ?? "";
        const key = `push/${life.slot}`;
        const answer = (outcome: PushOutcome, afterUs: number): void => {
          scheduler.after(afterUs, life, () => resolve(outcome));
        };
        if (!life.passes("push")) return;
        const way = world.latency(`${key}/way`);
        const fault = faults.hits("push-fails", key) ? choices.choose(`${key}/how`, 4) : undefined;
        if (fault !== undefined) world.taskFaulted("push-fails", taskId);
        if (fault === 0) return answer({ kind: "failed", reason: "status 500" }, 2 * way);
        // The node gives up by itself.
        if (fault === 1) return;
        scheduler.after(way, undefined, () => {
          world.log(`webhook ${config.id ?? ""} got ${sequence} of ${taskId}`);
          recorder.arrival({ taskId, configId: config.id ?? "", sequence });
          if (fault === 2) answer({ kind: "failed", reason: "connection lost" }, way);
          else answer({ kind: "arrived" }, fault === 3 ? 800_000 : way);
        });
      }),
  };
}
