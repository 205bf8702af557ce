import type { Append, LogEvent, Store } from "@parley/a2a/store";

export function creation(taskId: string, more: Partial<Append> = {}): Append {
  return {
    taskId,
    expectedSequence: 0,
    epoch: 1,
    events: [
      {
        kind: "task-created",
        taskId,
        contextId: "context-1",
        status: { state: "TASK_STATE_WORKING" },
      },
    ],
    create: {
      owner: { tenant: "acme", subject: "ada" },
      agent: "travel",
      contextId: "context-1",
      createdIn: "1.0",
    },
    status: { state: "TASK_STATE_WORKING", at: 1000 },
    ...more,
  };
}

export function chunk(text: string): LogEvent {
  return { kind: "artifact-updated", artifact: { artifactId: "answer", parts: [{ text }] } };
}

/** The texts of a task's chunks; throws when its log has a hole. */
export async function chunksOf(store: Store, taskId: string): Promise<string[]> {
  const entries = await store.read(taskId, 0, 1_000_000);
  return entries.flatMap(({ sequence, event }, index) => {
    if (sequence !== index + 1) throw new Error(`the log of ${taskId} has a hole at ${index + 1}`);
    return event.kind === "artifact-updated" ? [event.artifact.parts[0]?.text ?? ""] : [];
  });
}
