import type { Claim, LeaseStore } from "../../store/internal.js";
import { isRefused } from "./write.js";

/**
 * Claims a task for this node. A claim whose answer is lost may have taken the task from its run, so recovery looks at
 * the task then. Returns the new epoch; `undefined` when somebody else was faster.
 */
export async function claimTask(
  environment: {
    readonly store: Pick<LeaseStore, "claim">;
    readonly node: string;
    readonly orphans: Set<string>;
  },
  claim: Omit<Claim, "node">,
): Promise<number | undefined> {
  const { store, node, orphans } = environment;
  try {
    return await store.claim({ ...claim, node });
  } catch (error) {
    if (!isRefused(error)) orphans.add(claim.taskId);
    throw error;
  }
}
