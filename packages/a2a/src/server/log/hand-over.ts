import { isSettled } from "../../protocol/internal.js";
import type { LiveTasks } from "./live-tasks.js";
import type { TaskIdentity } from "./task-identity.js";
import { isRefused } from "./write.js";

/** A run that is to leave its task. */
interface Leaving {
  readonly identity: TaskIdentity;
  readonly epoch: number;
  leave(reason: Error): void;
}

/**
 * Leaves a run, and puts its task under no node: the next node that looks for abandoned tasks claims it, although this
 * node keeps its lease. Never rejects: a task that could not be handed over is left to recovery.
 */
export async function handOver(
  environment: {
    readonly liveTasks: LiveTasks;
    readonly orphans: Set<string>;
    readonly report: (error: unknown, taskId: string) => void;
  },
  run: Leaving,
): Promise<void> {
  const { liveTasks, orphans, report } = environment;
  const { identity, epoch } = run;
  try {
    const handle = await liveTasks.open(identity.taskId);
    run.leave(new Error("this node hands over its tasks; the run goes on elsewhere"));
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
