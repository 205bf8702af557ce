import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect } from "vitest";
import { isTerminal } from "@parley/a2a";
import type { StreamEvent, Task } from "@parley/a2a";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import type { LogEntry, LogEvent, Store } from "@parley/a2a/store";
import { toStreamResponse } from "../../src/protocol/internal.js";
import type { TaskEvent } from "../../src/protocol/internal.js";

/** Runs with the file open in this process; its own recovery from a kill has happened by then. */
export async function withStore<T>(path: string, work: (store: Store) => Promise<T>): Promise<T> {
  await using store = await openSqliteStore({ path });
  return await work(store);
}

/** A task's log from its first entry to its last, without a hole. */
export async function readLog(store: Store, taskId: string): Promise<readonly LogEntry[]> {
  const record = await store.loadRecord(taskId);
  const entries = await store.read(taskId, 0, 1_000_000);
  // The record counts by the highest sequence, the log by its rows: a hole would tell them apart.
  expect(entries.length).toBe(record?.sequence ?? 0);
  expect(entries.every(({ sequence }, index) => sequence === index + 1)).toBe(true);
  return entries;
}

export async function listTaskIds(store: Store): Promise<string[]> {
  const { tasks, totalSize } = await store.list({ agent: "Subject", limit: 100_000 });
  expect(tasks.length).toBe(totalSize);
  return tasks.map(({ record }) => record.taskId);
}

/** What a stream that has seen everything since the creation has shown. */
export function shownBy(log: readonly LogEntry[], task: Pick<Task, "id" | "contextId">) {
  return log.flatMap(({ sequence, event }): StreamEvent[] => {
    if (!isTaskEvent(event) || event.kind === "task-created") return [];
    const response = toStreamResponse(event, task);
    return response === undefined ? [] : [{ sequence, response }];
  });
}

/** The texts of the chunks of the answer. */
export function chunksOf(log: readonly LogEntry[]): string[] {
  return log.flatMap(({ event }) =>
    event.kind === "artifact-updated" ? [event.artifact.parts[0]?.text ?? ""] : [],
  );
}

/** The states of the task that end it; there is never more than one. */
export function endingsOf(log: readonly LogEntry[]): string[] {
  return log.flatMap(({ event }) =>
    event.kind === "status-changed" && isTerminal(event.status.state) ? [event.status.state] : [],
  );
}

/** The results of the steps that were recorded, by the name of the step. */
export function recordedSteps(log: readonly LogEntry[]): Map<string, unknown> {
  const steps = new Map<string, unknown>();
  for (const { event } of log) {
    if (event.kind !== "step-recorded") continue;
    expect(steps.has(event.name), `${event.name} is recorded once`).toBe(false);
    steps.set(event.name, event.result);
  }
  return steps;
}

/** A trace that a step left outside of the store. */
export interface Effect {
  readonly taskId: string;
  readonly what: string;
  readonly id: string;
}

export async function readEffects(path: string): Promise<Effect[]> {
  const text = existsSync(path) ? await readFile(path, "utf8") : "";
  return text.split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line) as Effect]));
}

function isTaskEvent(event: LogEvent): event is TaskEvent {
  return ["task-created", "message-added", "status-changed", "artifact-updated"].includes(
    event.kind,
  );
}
