/** Numbers as people read them. */

const grouped = new Intl.NumberFormat("en");
const clock = new Intl.DateTimeFormat("en-GB", { timeStyle: "medium" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** `1,243`. */
export function formatCount(count: number): string {
  return grouped.format(count);
}

/** `312 B`, `61 KB`, `4.2 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  if (bytes < 999_500) return `${rounded(bytes / 1000)} KB`;
  if (bytes < 999_500_000) return `${rounded(bytes / 1_000_000)} MB`;
  return `${rounded(bytes / 1_000_000_000)} GB`;
}

function rounded(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/u, "") : String(Math.round(value));
}

/** `380 ms`, `4.2 s`, `4 min 12 s`, `3 h 5 min`, `2 d 4 h`. */
export function formatDuration(ms: number): string {
  if (ms < 1) return "0 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${rounded(ms / 1000)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return two([Math.floor(seconds / 60), "min"], [seconds % 60, "s"]);
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1440) return two([Math.floor(minutes / 60), "h"], [minutes % 60, "min"]);
  const hours = Math.round(ms / 3_600_000);
  return two([Math.floor(hours / 24), "d"], [hours % 24, "h"]);
}

function two([large, unit]: [number, string], [small, subunit]: [number, string]): string {
  return small === 0 ? `${large} ${unit}` : `${large} ${unit} ${small} ${subunit}`;
}

/** A moment of a task, counted from its beginning: `+0.412`, `4:15.2`, `1:02:07`. */
export function formatOffset(ms: number): string {
  const sign = ms < 0 ? "-" : "";
  const size = Math.abs(ms);
  if (size < 10_000) return `${sign || "+"}${(size / 1000).toFixed(3)}`;
  if (size < 60_000) return `${sign || "+"}${(Math.floor(size / 100) / 10).toFixed(1)}`;
  const minutes = Math.floor(size / 60_000);
  const seconds = size % 60_000;
  if (minutes < 60)
    return `${sign}${minutes}:${(Math.floor(seconds / 100) / 10).toFixed(1).padStart(4, "0")}`;
  const hours = Math.floor(minutes / 60);
  const rest = String(Math.floor(seconds / 1000)).padStart(2, "0");
  return `${sign}${hours}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

/** `14:02:07`, in the time zone of the reader. */
export function formatClock(at: number): string {
  return clock.format(at);
}

/** `18 Nov, 14:02:07`. */
export function formatMoment(at: number): string {
  return `${day.format(at)}, ${formatClock(at)}`;
}

/** Ids that begin with the time at which they were made: many begin alike. */
const timedId = /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-/;

/** `7f3a…c21`, or `…c9e6c21` where ids begin with a time: an id that does not matter letter by letter. */
export function shortId(id: string): string {
  if (timedId.test(id)) return `…${id.slice(-8)}`;
  return id.length <= 12 ? id : `${id.slice(0, 4)}…${id.slice(-3)}`;
}
