import type { AgentCard } from "@parley/a2a";
import type { LogEntry, TaskRecord } from "@parley/a2a/store";
import type {
  Delivery,
  Hop,
  PushAttempt,
  RecordingLine,
  Resumption,
} from "../../contract/index.js";
import { checkLine } from "./check-line.js";

/** A saved session, read. */
export interface Recording {
  readonly version: string;
  readonly savedAt: number;
  readonly agent?: { readonly url: string; readonly card: AgentCard };
  readonly hops: readonly Hop[];
  readonly resumptions: readonly Resumption[];
  readonly deliveries: readonly Delivery[];
  readonly pushes: readonly PushAttempt[];
  readonly tasks: readonly TaskRecord[];
  /** By the id of the task. */
  readonly logs: ReadonlyMap<string, readonly LogEntry[]>;
  /** What could not be read, in words, at most twenty. */
  readonly problems: readonly string[];
}

export interface RecordingLimits {
  readonly maxBytes: number;
  readonly maxLines: number;
}

export const recordingLimits: RecordingLimits = {
  maxBytes: 512 * 1024 * 1024,
  maxLines: 1_000_000,
};

const problemLimit = 20;

/** Why a file is no recording. */
export class NotARecording extends Error {
  override readonly name = "NotARecording";
}

/**
 * Reads a `.parley.jsonl` file, piece by piece. Lines that it does not understand are left out and named; a file without
 * a header, or one that exceeds a limit, is refused.
 */
export async function readRecording(
  pieces: AsyncIterable<string> | Iterable<string>,
  limits: RecordingLimits = recordingLimits,
): Promise<Recording> {
  const reader = new RecordingReader(limits);
  for await (const piece of pieces) reader.add(piece);
  return reader.end();
}

class RecordingReader {
  readonly #limits: RecordingLimits;
  readonly #hops: Hop[] = [];
  readonly #resumptions: Resumption[] = [];
  readonly #deliveries: Delivery[] = [];
  readonly #pushes: PushAttempt[] = [];
  readonly #tasks = new Map<string, TaskRecord>();
  readonly #logs = new Map<string, LogEntry[]>();
  readonly #problems: string[] = [];
  #header: Extract<RecordingLine, { readonly kind: "recording" }> | undefined;
  #pending: string[] = [];
  #bytes = 0;
  #lines = 0;

  constructor(limits: RecordingLimits) {
    this.#limits = limits;
  }

  add(piece: string): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#limits.maxBytes) {
      throw new NotARecording(`the file is larger than ${this.#limits.maxBytes} bytes`);
    }
    let from = 0;
    for (let end = piece.indexOf("\n"); end >= 0; end = piece.indexOf("\n", from)) {
      this.#pending.push(piece.slice(from, end));
      this.#endLine();
      from = end + 1;
    }
    if (from < piece.length) this.#pending.push(piece.slice(from));
  }

  end(): Recording {
    this.#endLine();
    const header = this.#header;
    if (header === undefined) {
      throw new NotARecording("the file is empty; a recording begins with a line that says so");
    }
    for (const log of this.#logs.values()) log.sort((one, other) => one.sequence - other.sequence);
    return {
      version: header.version,
      savedAt: header.savedAt,
      ...(header.agent && { agent: header.agent }),
      hops: this.#hops,
      resumptions: this.#resumptions,
      deliveries: this.#deliveries,
      pushes: this.#pushes,
      tasks: [...this.#tasks.values()],
      logs: this.#logs,
      problems: this.#problems,
    };
  }

  #endLine(): void {
    const text = this.#pending.join("").trim();
    this.#pending = [];
    if (text === "") return;
    this.#lines += 1;
    if (this.#lines > this.#limits.maxLines) {
      throw new NotARecording(`the file has more than ${this.#limits.maxLines} lines`);
    }
    const line = this.#parse(text);
    if (line !== undefined) this.#take(line);
  }

  #parse(text: string): RecordingLine | undefined {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#report("is not JSON");
      return undefined;
    }
    const checked = checkLine(value);
    if (typeof checked !== "string") return checked;
    this.#report(checked);
    return undefined;
  }

  #report(problem: string): void {
    if (this.#header === undefined) {
      throw new NotARecording(
        `its first line ${problem}; a recording is a file that the inspector has saved as .parley.jsonl`,
      );
    }
    if (this.#problems.length < problemLimit) this.#problems.push(`line ${this.#lines} ${problem}`);
  }

  #take(line: RecordingLine): void {
    if (line.kind === "recording") {
      if (this.#header === undefined) this.#header = line;
      else this.#report("is a second header");
      return;
    }
    if (this.#header === undefined) {
      this.#report("is not a header");
      return;
    }
    switch (line.kind) {
      case "hop":
        this.#hops.push(line.hop);
        return;
      case "resumed":
        this.#resumptions.push(line.resumption);
        return;
      case "delivery":
        this.#deliveries.push(line.delivery);
        return;
      case "push":
        this.#pushes.push(line.attempt);
        return;
      case "task":
        this.#tasks.set(line.record.taskId, line.record);
        return;
      case "entry": {
        const log = this.#logs.get(line.taskId) ?? [];
        log.push(line.entry);
        this.#logs.set(line.taskId, log);
      }
    }
  }
}
