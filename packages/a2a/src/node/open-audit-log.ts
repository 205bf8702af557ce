import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { formatAuditEvent } from "../auth/internal.js";
import type { AuditEvent, AuditLog } from "../auth/internal.js";
import { consoleLog } from "../protocol/telemetry/internal.js";

export interface AuditLogOptions {
  /** The most that waits in memory while the disk is slower than the callers; 1 MiB when absent. */
  readonly maxQueuedBytes?: number;
  /** Receives the first error of a file that cannot be written. Default: one line on the console. */
  readonly report?: (error: unknown) => void;
}

/** An audit log with an open file. */
export interface OpenAuditLog extends AuditLog, AsyncDisposable {
  /** Resolves when everything that was recorded is written. */
  close(): Promise<void>;
}

/** The part of a writable stream that the log uses. */
interface Sink {
  readonly writableLength: number;
  write(text: string): unknown;
}

/**
 * Appends decisions to a file, one line of JSON each. Keeps what the file has; a new file is readable by its owner
 * alone. Rejects if the file cannot be opened. Callers never wait for the disk: beyond a bound, decisions are
 * dropped, and a line says how many.
 */
export async function openAuditLog(
  path: string,
  { maxQueuedBytes = 1024 * 1024, report = reportToConsole }: AuditLogOptions = {},
): Promise<OpenAuditLog> {
  const file = createWriteStream(path, { flags: "a", mode: 0o600 });
  await once(file, "open").catch((cause: unknown) => {
    throw openingError(path, cause);
  });
  const log = writeAuditLog(file, maxQueuedBytes);
  let hasFailed = false;
  file.on("error", (error) => {
    if (!hasFailed) report(error);
    hasFailed = true;
  });
  const close = async (): Promise<void> => {
    if (file.closed || hasFailed) return;
    await new Promise<void>((resolve) => file.end(resolve));
  };
  return {
    record: (event) => {
      if (!hasFailed && !file.writableEnded) log.record(event);
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Writes decisions to a stream, such as `process.stderr`, one line of JSON each. */
export function writeAuditLog(sink: Sink, maxQueuedBytes: number = 1024 * 1024): AuditLog {
  let dropped = 0;
  return {
    record(event: AuditEvent) {
      if (sink.writableLength >= maxQueuedBytes) {
        dropped += 1;
        return;
      }
      if (dropped > 0) sink.write(`${JSON.stringify({ at: event.at, dropped })}\n`);
      dropped = 0;
      sink.write(`${formatAuditEvent(event)}\n`);
    },
  };
}

const notAllowed = "this user may not write there; choose another path";
const reasons: Readonly<Record<string, string>> = {
  EACCES: notAllowed,
  EPERM: notAllowed,
  EROFS: notAllowed,
  EISDIR: "it is a folder; choose a file in it",
  ENOENT: "its folder does not exist; create it, or choose another path",
  ENOTDIR: "a part of its path is a file, not a folder; choose another path",
};

function openingError(path: string, cause: unknown): Error {
  const { code = "", message = String(cause) } = cause as { code?: string; message?: string };
  return new Error(`cannot write the audit log ${path}: ${reasons[code] ?? message}`, { cause });
}

function reportToConsole(err: unknown): void {
  consoleLog("error", "audit.failed", { err });
}
