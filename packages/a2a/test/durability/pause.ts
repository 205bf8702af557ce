import { openRaw } from "../support/files/open-raw.js";
import type { SubjectProcess } from "./subject-process.js";

/**
 * Stops a process where it stands, but not while it has the file locked: then nobody could write until it
 * goes on, which is SQLite's own fencing and not what is looked at.
 */
export async function pauseBetweenWrites(subject: SubjectProcess, path: string): Promise<void> {
  for (;;) {
    await subject.pause();
    if (isWritable(path)) return;
    subject.resume();
  }
}

function isWritable(path: string): boolean {
  using raw = openRaw(path);
  raw.exec("PRAGMA busy_timeout = 200");
  try {
    raw.exec("BEGIN IMMEDIATE; ROLLBACK");
    return true;
  } catch {
    return false;
  }
}
