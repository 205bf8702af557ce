import { isSettled } from "../../protocol/internal.js";
import { isRefused } from "../log/write.js";
import type { RunEnvironment } from "../run-environment.js";
import type { Activation } from "./activation.js";

/**
 * Leaves a run, and puts its task under no node: the next node that looks for abandoned tasks claims it, although this
 * node keeps its lease. Never rejects: a task that could not be handed over is left to recovery.
 */
export async function handOver(
  { liveTasks, orphans, report }: RunEnvironment,
  activation: Activation,
): Promise<void> {
  const { identity, epoch } = activation;
  try {
    const handle = await liveTasks.open(identity.taskId);
    activation.leave(new Error("this node hands over its tasks; the run goes on elsewhere"));
    try {
      await handle?.live.write(
        (state) => (isSettled(state) ? undefined : { events: [], node: null }),
        { epoch },
      );
    } finally {
      handle?.release();
    }
  } catch (error) {
    if (isRefused(error)) return;
    orphans.add(identity.taskId);
    report(error, identity.publicId);
  }
}
