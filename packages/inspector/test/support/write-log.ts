import type { LogEvent, Store } from "@parley/a2a/store";

const batch = 2000;

/** Writes a log of so many entries into a store: statuses, and chunks of artifacts that take turns, so that most are rows of their own. */
export async function writeLog(store: Store, taskId: string, count: number): Promise<void> {
  await store.append({
    taskId,
    expectedSequence: 0,
    epoch: 1,
    create: {
      owner: { tenant: "", subject: "" },
      agent: "Archive",
      contextId: taskId,
      createdIn: "1.0",
    },
    events: [eventOf(taskId, 1)],
    status: { state: "TASK_STATE_SUBMITTED", at: Date.now() },
  });
  await growLog(store, taskId, { from: 1, by: count - 1 });
}

/** Adds entries to the end of a log of `writeLog`, which has `from` of them. */
export async function growLog(
  store: Store,
  taskId: string,
  { from, by }: { readonly from: number; readonly by: number },
): Promise<void> {
  for (let done = from; done < from + by; done += batch) {
    const length = Math.min(batch, from + by - done);
    const events = Array.from({ length }, (_, one) => eventOf(taskId, done + one + 1));
    const last = events.findLast((event) => event.kind === "status-changed");
    await store.append({
      taskId,
      expectedSequence: done,
      epoch: 1,
      events,
      ...(last && { status: { state: last.status.state, at: Date.now() } }),
    });
  }
}

function eventOf(taskId: string, sequence: number): LogEvent {
  if (sequence === 1) {
    const status = { state: "TASK_STATE_SUBMITTED" } as const;
    return { kind: "task-created", taskId, contextId: taskId, status };
  }
  if (sequence % 997 === 0) {
    const state = (sequence / 997) % 2 === 0 ? "TASK_STATE_WORKING" : "TASK_STATE_INPUT_REQUIRED";
    return { kind: "status-changed", status: { state }, metadata: { sequence } };
  }
  return {
    kind: "artifact-updated",
    append: sequence > 12,
    artifact: {
      artifactId: `part-${sequence % 10}`,
      parts: [{ text: `word ${sequence} of the answer ` }],
    },
  };
}
