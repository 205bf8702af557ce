import { describeEntry } from "../log/describe-entry.js";
import type { EntryText } from "../log/describe-entry.js";
import type { LogIndex } from "../log/log-index.js";
import { defaultRowOptions, Rows } from "../timeline/rows.js";

/** What one side of a comparison did, with chunks of an artifact as one. */
export interface ComparedEvent extends EntryText {
  /** Milliseconds after the first event. */
  readonly after: number;
  readonly chunks: number;
}

/** An event of both sides, or of one alone. */
export interface AlignedEvent {
  readonly left?: ComparedEvent;
  readonly right?: ComparedEvent;
}

const eventLimit = 2000;

/** The public events of a log, with successive chunks as one. */
export function comparedEvents(index: LogIndex): ComparedEvent[] {
  const rows = new Rows(index, { ...defaultRowOptions, showsPrivate: false, idleMs: Infinity });
  const begin = index.timeAt(0);
  const events: ComparedEvent[] = [];
  for (let row = 0; row < Math.min(rows.length, eventLimit); row += 1) {
    const { from, to } = rows.at(row) ?? { from: 0, to: 0 };
    const entry = index.entries[from];
    if (entry === undefined) continue;
    const text = describeEntry(entry);
    events.push({
      ...text,
      detail: to - from > 1 ? "" : text.detail,
      after: entry.at - begin,
      chunks: to - from,
    });
  }
  return events;
}

/** Two sides, so that what both did stands side by side. The package that aligns is loaded when it is first needed. */
export async function alignEvents(
  left: readonly ComparedEvent[],
  right: readonly ComparedEvent[],
): Promise<readonly AlignedEvent[]> {
  const { diffArrays } = await import("diff");
  const changes = diffArrays(left.map(keyOf), right.map(keyOf), { timeout: 500 }) ?? [];
  const aligned: AlignedEvent[] = [];
  let leftAt = 0;
  let rightAt = 0;
  for (const { count = 0, added, removed } of changes) {
    for (let index = 0; index < count; index += 1) {
      const one = added ? undefined : left[leftAt++];
      const other = removed ? undefined : right[rightAt++];
      aligned.push({ ...(one && { left: one }), ...(other && { right: other }) });
    }
  }
  return changes.length > 0 ? aligned : pairs(left, right);
}

function keyOf({ kind, title, chunks }: ComparedEvent): string {
  return kind === "artifact" ? `artifact ${chunks > 1}` : `${kind} ${title}`;
}

function pairs(left: readonly ComparedEvent[], right: readonly ComparedEvent[]): AlignedEvent[] {
  return Array.from({ length: Math.max(left.length, right.length) }, (_, index) => ({
    ...(left[index] && { left: left[index] }),
    ...(right[index] && { right: right[index] }),
  }));
}
