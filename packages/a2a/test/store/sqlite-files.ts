import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "libsql";
import type { Append, LogEvent, Store } from "@parley/a2a/store";

/** A folder for files of a test; removed when it goes out of scope. */
export async function openFolder() {
  const path = await mkdtemp(join(tmpdir(), "parley-sqlite-"));
  return {
    path,
    file: (name = "parley.db"): string => join(path, name),
    async [Symbol.asyncDispose](): Promise<void> {
      await rm(path, { recursive: true });
    },
  };
}

/** The file as SQLite sees it, without a store; closed when it goes out of scope. */
export function openRaw(path: string) {
  const database = new Database(path);
  return {
    exec: (sql: string): void => void database.exec(sql),
    all: (sql: string): Record<string, unknown>[] =>
      database.prepare(sql).all() as Record<string, unknown>[],
    [Symbol.dispose](): void {
      database.close();
    },
  };
}

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
