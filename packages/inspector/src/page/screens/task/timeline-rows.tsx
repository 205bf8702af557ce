import type { ComponentChild } from "preact";
import {
  chunkRates,
  describeEntry,
  entrySize,
  formatBytes,
  formatCount,
  formatDuration,
  formatOffset,
  kindOf,
} from "../../../model/index.js";
import type { LogIndex, Row, Rows } from "../../../model/index.js";
import type { ListRows } from "../../list/virtual-list.js";
import { Icon, visibleName } from "../../ui/index.js";

/** The rows of a timeline, for a list. */
export class TimelineRows implements ListRows {
  readonly areFixed = true;
  readonly rows: Rows;
  readonly #rowHeight: number;
  readonly #onToggle: (from: number) => void;

  constructor(rows: Rows, rowHeight: number, onToggle: (from: number) => void) {
    this.rows = rows;
    this.#rowHeight = rowHeight;
    this.#onToggle = onToggle;
  }

  get length(): number {
    return this.rows.length;
  }

  keyOf(row: number): string {
    const found = this.rows.at(row);
    return found === undefined ? "" : `${found.kind} ${found.from} ${found.to}`;
  }

  estimate(row: number): number {
    return this.rows.at(row)?.kind === "idle" ? 24 : this.#rowHeight;
  }

  canSelect(row: number): boolean {
    return this.rows.at(row)?.kind !== "idle";
  }

  attributes(row: number): Readonly<Record<`data-${string}`, string | number | undefined>> {
    const found = this.rows.at(row);
    const entry = this.rows.index.entries[found?.from ?? -1];
    if (found === undefined || entry === undefined || found.kind === "idle") return {};
    return {
      "data-testid": "event-row",
      "data-seq": entry.sequence,
      "data-kind": kindOf(entry.event),
      "data-chunks": found.kind === "chunks" ? found.to - found.from : undefined,
    };
  }

  draw(row: number): ComponentChild {
    const found = this.rows.at(row);
    if (found === undefined) return null;
    if (found.kind === "idle") return <IdleRow index={this.rows.index} position={found.from} />;
    return (
      <EntryRow
        index={this.rows.index}
        row={found}
        isOpen={found.kind === "chunks" && this.rows.isOpen(found.from)}
        onToggle={this.#onToggle}
      />
    );
  }
}

function IdleRow({ index, position }: { index: LogIndex; position: number }): ComponentChild {
  const ms = index.timeAt(position) - index.timeAt(position - 1);
  return <div class="idle-row">idle {formatDuration(ms)}</div>;
}

interface EntryRowProps {
  readonly index: LogIndex;
  readonly row: Row;
  readonly isOpen: boolean;
  readonly onToggle: (from: number) => void;
}

function EntryRow({ index, row, isOpen, onToggle }: EntryRowProps): ComponentChild {
  const entry = index.entries[row.from];
  if (entry === undefined) return null;
  const { kind, tone, title, detail } = describeEntry(entry);
  const chunks = row.to - row.from;
  const isGroup = row.kind === "chunks";
  return (
    <div
      class="entry"
      data-group={isGroup ? "" : undefined}
      data-chunk={row.kind === "chunk" ? "" : undefined}
    >
      <span class="entry-seq">{entry.sequence}</span>
      <span class="entry-time">{formatOffset(entry.at - index.timeAt(0))}</span>
      <span class="entry-kind" data-tone={tone}>
        {kind}
      </span>
      {isGroup ? (
        <span class="entry-what" data-group="">
          {/* Keys open it by Enter on the list; an option holds no button of its own. */}
          <span
            class="entry-fold"
            data-open={isOpen ? "" : undefined}
            onClick={(event) => {
              event.stopPropagation();
              onToggle(row.from);
            }}
          >
            <Icon name="chevron" size={12} />
          </span>
          <bdi class="entry-title">{visibleName(title)}</bdi>
          <span class="entry-detail">+{formatCount(chunks - 1)} chunks</span>
          <Rates rates={chunkRates(index, row.from, row.to, 16)} />
        </span>
      ) : (
        <span class="entry-what">
          <bdi class="entry-title">{visibleName(title)}</bdi>
          <bdi class="entry-detail">{visibleName(detail)}</bdi>
        </span>
      )}
      <span class="entry-size">
        {formatBytes(isGroup ? groupSize(index, row) : entrySize(entry))}
      </span>
    </div>
  );
}

/** What the chunks of a row carry: the growth of the artifact, which the index knows without reading them. */
function groupSize(index: LogIndex, { from, to }: Row): number {
  const entry = index.entries[from];
  if (entry?.event.kind !== "artifact-updated") return 0;
  const { artifactId } = entry.event.artifact;
  const after = index.artifactAt(artifactId, to - 1);
  const before = entry.event.append === true ? index.artifactAt(artifactId, from - 1) : undefined;
  return (after?.bytes ?? 0) - (before?.bytes ?? 0);
}

/** A small picture of how fast the chunks came. */
function Rates({ rates }: { readonly rates: readonly number[] }): ComponentChild {
  const highest = Math.max(...rates, 1);
  const width = 6;
  const bars = rates
    .map((rate, bar) => {
      const height = Math.max(1, Math.round((rate / highest) * 14));
      return `M${bar * width} ${14 - height}h4v${height}h-4z`;
    })
    .join("");
  return (
    <svg class="rates" width={rates.length * width} height="14" aria-hidden="true">
      <path d={bars} />
    </svg>
  );
}
