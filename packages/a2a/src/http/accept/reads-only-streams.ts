import { acceptRanges } from "./accept-ranges.js";

const streamType = "text/event-stream";
const jsonType = /^application\/(?:[\w.-]+\+)?json$/;

/**
 * Whether a caller reads nothing but an event stream: it names that type, wants nothing more, and does not name JSON.
 * A wildcard beside it says little, since many HTTP clients add one.
 */
export function readsOnlyStreams(accept = ""): boolean {
  if (accept === streamType) return true;
  const ranges = acceptRanges(accept).filter(({ quality }) => quality > 0);
  const stream = ranges.find(({ type }) => type === streamType);
  return (
    stream !== undefined &&
    ranges.every(({ type, quality }) => quality <= stream.quality && !jsonType.test(type))
  );
}
