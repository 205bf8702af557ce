import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { AgentCard, ErrorCode, ErrorDetails } from "@parley/a2a";

/** What the program is to do: one call, of the agent at the URL. */
export interface VictimTask {
  readonly call: "card" | "task" | "send" | "text" | "watch" | "token" | "keys";
  readonly url: string;
  readonly binding?: string;
  readonly version?: string;
  /** Options of `connect`. */
  readonly options?: object;
  /** Members of the card that differ. */
  readonly card?: Partial<AgentCard>;
}

/** How it ended. */
export interface VictimReport {
  /** The signal or the message with which the program died; absent when it lives. */
  readonly died?: string;
  readonly result?: unknown;
  readonly error?: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details: ErrorDetails;
  };
  /** The most memory that it had. */
  readonly megabytes: number;
}

const program = fileURLToPath(new URL("victim.mjs", import.meta.url));

/** Runs a program that makes one call, with a small heap. */
export function runVictim(task: VictimTask, heapMegabytes = 64): Promise<VictimReport> {
  const args = [`--max-old-space-size=${heapMegabytes}`, program, JSON.stringify(task)];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { timeout: 120_000 }, (error, stdout, stderr) => {
      if (error === null) return resolve(JSON.parse(stdout) as VictimReport);
      const [fatal] = /FATAL.*/.exec(stderr) ?? [];
      resolve({ died: fatal ?? error.signal ?? error.message, megabytes: Infinity });
    });
  });
}
