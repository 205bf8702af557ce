import { appendFile, mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import type { Delivered } from "@parley/inspector/receive";

/** A notification as it was received, to be sent again. */
export interface LoggedEvent extends Delivered {
  readonly id: string;
  readonly receivedAt: string;
}

/** The log is cut to its last lines when it grows beyond this. */
const maxBytes = 16 * 1024 * 1024;
const keptLines = 500;

/** Adds a notification to the log. Only its owner may read the file, because it holds tokens. */
export async function logEvent(path: string, event: LoggedEvent): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `${JSON.stringify(event)}\n`, { mode: 0o600 });
  if ((await stat(path)).size > maxBytes) await shorten(path);
}

async function shorten(path: string): Promise<void> {
  const lines = (await readFile(path, "utf8")).trimEnd().split("\n");
  await writeFile(`${path}.new`, `${lines.slice(-keptLines).join("\n")}\n`, { mode: 0o600 });
  await rename(`${path}.new`, path);
}

/** The last notification with an id; `undefined` when the log has none. */
export async function findEvent(path: string, id: string): Promise<LoggedEvent | undefined> {
  const text = await readFile(path, "utf8").catch(() => "");
  for (const line of text.trimEnd().split("\n").toReversed()) {
    try {
      const event = JSON.parse(line) as LoggedEvent;
      if (event.id === id) return event;
    } catch {
      // A line that was cut off when the process died.
    }
  }
  return undefined;
}
