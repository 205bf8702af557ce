import type { JsonValue } from "@parley/a2a";
import type { LogEntry } from "@parley/a2a/store";
import type { ComponentChild } from "preact";
import {
  entrySize,
  formatBytes,
  formatMoment,
  formatOffset,
  isPrivate,
} from "../../../model/index.js";
import { Chip, JsonView } from "../../ui/index.js";

/** One entry of a log, whole. */
export function EntryPane(props: {
  readonly entry: LogEntry | undefined;
  readonly begin: number;
}): ComponentChild {
  const { entry, begin } = props;
  if (entry === undefined) return null;
  return (
    <div class="stack">
      <div class="row">
        <span class="strong">Entry {entry.sequence}</span>
        <span class="soft">
          {formatMoment(entry.at)}, {formatOffset(entry.at - begin)},{" "}
          {formatBytes(entrySize(entry))}
        </span>
        {isPrivate(entry.event) ? (
          <Chip tone="neutral" plain title="The agent's own journal. Callers never see it.">
            private
          </Chip>
        ) : null}
      </div>
      <JsonView value={entry.event as unknown as JsonValue} label={`Entry ${entry.sequence}`} />
    </div>
  );
}
