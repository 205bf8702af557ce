let last = Number.NaN;
let lastText = "";

/** A time as the protocol writes it. A turn's events have few different times, and writing one takes a microsecond. */
export function timestampOf(now: number): string {
  if (now !== last) {
    lastText = new Date(now).toISOString();
    last = now;
  }
  return lastText;
}
