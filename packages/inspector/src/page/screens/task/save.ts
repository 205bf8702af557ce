import { testFileOf, writeRecording } from "../../../model/index.js";
import type { LogIndex } from "../../../model/index.js";
import { api } from "../../api/index.js";
import { connection } from "../../state/connection.js";
import { capabilities } from "../../state/capabilities.js";
import { recording } from "../../state/recording.js";

/** Saves a task as a `.parley.jsonl` file: its log, hops and deliveries, as the backend has redacted them. */
export async function saveTask(taskId: string): Promise<void> {
  const opened = recording.peek();
  const text =
    opened === undefined
      ? await api.text(`recording?task=${encodeURIComponent(taskId)}`)
      : writeRecording({
          ...opened,
          hops: opened.hops.filter((hop) => hop.taskId === taskId),
          resumptions: opened.resumptions.filter((one) => one.taskId === taskId),
          pushes: opened.pushes.filter((attempt) => attempt.taskId === taskId),
          deliveries: opened.deliveries.filter((delivery) => delivery.taskId === taskId),
          tasks: opened.tasks.filter((record) => record.taskId === taskId),
          logs: new Map([...opened.logs].filter(([id]) => id === taskId)),
        });
  download(`${fileName(taskId)}.parley.jsonl`, text, "application/x-ndjson");
}

/** Saves a task as a vitest file. */
export function saveTest(index: LogIndex): void {
  const url =
    connection.peek()?.url ??
    recording.peek()?.agent?.url ??
    capabilities.peek()?.agents[0]?.url ??
    "http://127.0.0.1:4100";
  download(`${fileName(index.taskId)}.test.ts`, testFileOf(index, url), "text/plain");
}

function fileName(taskId: string): string {
  return `task-${taskId.replaceAll(/[^\w-]/gu, "_").slice(0, 40)}`;
}

function download(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
