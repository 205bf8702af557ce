import { A2AError, describeState, isTerminal } from "../../../protocol/internal.js";
import { StoreConflict } from "../../store-conflict.js";
import type { Scope } from "../../task-record.js";
import type { AppendText } from "../append-text.js";
import type { AppendedText } from "../operations.js";
import { saveSummary } from "../statements/checkpoints.js";
import { insertKey, selectKey } from "../statements/idempotency-keys.js";
import { insertScope, selectScope } from "../statements/scopes.js";
import { toState, toStateNumber } from "../../rows/states.js";
import { insertTask } from "../statements/tasks.js";
import { checkConfigs, checkLimits } from "./check-limits.js";
import { notify } from "./outbox.js";
import { saveConfig } from "./push-configs.js";
import type { OpenHead, WriteSession } from "./write-session.js";

/** Performs one append. Checks everything that can refuse it before it writes the first row. */
export function appendToTask(session: WriteSession, append: AppendText): AppendedText {
  const head =
    append.create === undefined ? continueTask(session, append) : beginTask(session, append);
  const { db, now: at } = session;
  weigh(session, head, append);
  const { rows } = append;
  for (let row = 0; row < rows.length; row += 2) {
    head.sequence += Number(rows[row]);
    session.log.add(head.task, head.sequence, String(rows[row + 1]), at);
  }
  if (append.checkpoint !== undefined) {
    session.checkpoints.add(head.task, head.sequence, append.checkpoint);
  }
  if (append.summary !== undefined) {
    const { task, sequence } = head;
    saveSummary(db, { task, sequence, ...append.summary });
  }
  for (const messageId of append.messageIds ?? []) {
    session.messageIds.add(head.task, messageId);
  }
  if (append.pushConfig !== undefined) saveConfig(session, head, append.pushConfig);
  const { ranks, notifyAt } = append;
  const queued = notifyAt === undefined ? 0 : notify(session, head, { ranks, notifyAt });
  if (append.expectedSequence !== undefined && queued === 0) return at;
  return { sequence: head.sequence, epoch: head.epoch, at, queued };
}

function beginTask(session: WriteSession, append: AppendText): OpenHead {
  const { taskId, create, status, epoch, node = null } = append;
  if (create === undefined || status === undefined) {
    throw new A2AError("INTERNAL", `task ${taskId} is new; its append needs create and status`);
  }
  if (append.expectedSequence !== 0) {
    const message = `task ${taskId} is new and has no entries; expectedSequence has to be 0`;
    throw conflict(message, session.head(taskId));
  }
  const [tenant, subject, agent, contextId, createdIn] = create;
  const whose = { tenant, subject, agent };
  const known = session.scope(whose);
  if (known !== undefined) refuseTakenKey(session, known, append);
  // What writes before the task's row, or may refuse it, has to know first that the task is new.
  if (known === undefined || append.limits !== undefined) {
    refuseKnown(session, taskId);
  }
  checkAll(session, { whose, task: undefined }, append);
  const scope = known ?? insertScope(session.db, whose);
  const [stateName, statusAt] = status;
  const state = toStateNumber(stateName);
  const bytes = append.bytes ?? 0;
  const row = {
    taskId,
    scope,
    agent,
    contextId,
    createdIn,
    state,
    statusAt,
    epoch,
    node,
    bytes,
  };
  const task = insertTask(session.db, row);
  if (task === undefined) throw conflict(`task ${taskId} exists already`, session.head(taskId));
  session.count(scope, state, { tasks: 1, bytes, at: statusAt });
  if (append.idempotency !== undefined) insertKey(session.db, scope, append.idempotency, { task });
  const head = session.addHead(taskId, { ...row, task, sequence: 0 });
  head.listeners = [];
  return head;
}

function continueTask(session: WriteSession, append: AppendText): OpenHead {
  const { taskId, expectedSequence, epoch, whileStates, status, node } = append;
  const head = session.head(taskId);
  if (head === undefined) throw conflict(`task ${taskId} does not exist`);
  if (expectedSequence !== undefined) {
    if (head.epoch !== epoch) {
      throw conflict(`task ${taskId} is under epoch ${head.epoch}, not ${epoch}`, head);
    }
    if (head.sequence !== expectedSequence) {
      throw conflict(`task ${taskId} is at entry ${head.sequence}, not ${expectedSequence}`, head);
    }
  }
  const current = toState(head.state);
  if (isTerminal(current)) {
    const message = `task ${taskId} is ${describeState(current)}; nothing can be added to it`;
    throw new A2AError("UNSUPPORTED_OPERATION", message, { details: { metadata: { taskId } } });
  }
  if (whileStates?.includes(current) === false) {
    throw conflict(`task ${taskId} is ${describeState(current)}`, head);
  }
  refuseTakenKey(session, head.scope, append);
  if (append.limits !== undefined) {
    checkAll(session, { whose: selectScope(session.db, head.scope), task: head.task }, append);
  }
  if (append.idempotency !== undefined) {
    insertKey(session.db, head.scope, append.idempotency, { task: head.task });
  }
  if (node !== undefined && node !== head.node) {
    head.node = node;
    session.touch(head, "lease");
  }
  if (status !== undefined) {
    session.count(head.scope, head.state, { tasks: -1, bytes: -head.bytes, at: head.statusAt });
    head.state = toStateNumber(status[0]);
    head.statusAt = status[1];
    session.count(head.scope, head.state, { tasks: 1, bytes: head.bytes, at: head.statusAt });
    session.touch(head, "status");
  }
  return head;
}

function weigh(session: WriteSession, head: OpenHead, { bytes = head.bytes }: AppendText): void {
  if (bytes === head.bytes) return;
  session.count(head.scope, head.state, { tasks: 0, bytes: bytes - head.bytes });
  head.bytes = bytes;
  session.touch(head, "lease");
}

/** Throws when the append exceeds a limit that it brings along. */
function checkAll(
  session: WriteSession,
  { whose, task }: { readonly whose: Scope; readonly task: number | undefined },
  { limits, pushConfig }: AppendText,
): void {
  if (limits === undefined) return;
  checkLimits(session, whose, limits, task === undefined ? "task" : "part");
  if (pushConfig !== undefined) checkConfigs(session, task, pushConfig.configId, limits);
}

function refuseTakenKey(session: WriteSession, scope: number, append: AppendText): void {
  const { taskId, idempotency } = append;
  if (idempotency === undefined) return;
  if (selectKey(session.db, scope, idempotency.key) !== undefined) {
    throw conflict("the idempotency key is taken", session.head(taskId));
  }
}

function refuseKnown(session: WriteSession, taskId: string): void {
  const head = session.head(taskId);
  if (head !== undefined) throw conflict(`task ${taskId} exists already`, head);
}

function conflict(message: string, head?: OpenHead): StoreConflict {
  if (head === undefined) return new StoreConflict(message);
  const { sequence, epoch, state } = head;
  return new StoreConflict(message, { sequence, epoch, state: toState(state) });
}
