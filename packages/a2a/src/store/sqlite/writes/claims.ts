import { isTerminal } from "../../../protocol/internal.js";
import type { Claim, ClaimedTask } from "../../lease-store.js";
import { findAbandoned } from "../statements/nodes.js";
import type { AbandonedClaim } from "../statements/nodes.js";
import { toState } from "../../rows/states.js";
import type { OpenHead, WriteSession } from "./write-session.js";

/** Returns the new epoch; `undefined` when the task is not as the claim says. */
export function claimTask(session: WriteSession, claim: Claim): number | undefined {
  const { taskId, node, epoch, sequence } = claim;
  const head = session.head(taskId);
  if (head === undefined || head.epoch !== epoch || isTerminal(toState(head.state))) {
    return undefined;
  }
  if (sequence !== undefined && head.sequence !== sequence) return undefined;
  return take(session, head, node);
}

/** Claims tasks that no live node works on. A transaction writes alone, so each goes to one node. */
export function claimAbandoned(session: WriteSession, request: AbandonedClaim): ClaimedTask[] {
  session.flush();
  const claimed: ClaimedTask[] = [];
  for (const taskId of findAbandoned(session.db, request, session.now)) {
    const head = session.head(taskId);
    if (head === undefined) continue;
    const isHandedOver = head.node === null && ({ isHandedOver: true } as const);
    const epoch = take(session, head, request.node);
    claimed.push({ taskId, epoch, sequence: head.sequence, ...isHandedOver });
  }
  return claimed;
}

function take(session: WriteSession, head: OpenHead, node: string): number {
  head.node = node;
  head.epoch += 1;
  session.touch(head, "lease");
  return head.epoch;
}
