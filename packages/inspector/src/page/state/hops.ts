import { signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";
import type {
  FeedItem,
  Frame,
  Hop,
  HopPage,
  HopSummary,
  Resumption,
} from "../../contract/index.js";
import { api, onFeed } from "../api/index.js";

/** A hop as far as the page knows it. Frames of a live stream are added as they come. */
export interface KnownHop {
  readonly summary: HopSummary;
  /** Absent until it was asked for. */
  readonly whole?: Hop;
  readonly frames: readonly Frame[];
}

/** More hops than the page keeps; the backend has the others. */
const kept = 2000;

const hops = new Map<number, KnownHop>();
const version = signal(0);
const resumed = signal<readonly Resumption[]>([]);

/** Counts up when a hop has changed: components that read it are drawn again. */
export const hopsVersion: ReadonlySignal<number> = version;
/** Streams that have lost their connection and went on, oldest first. */
export const resumptions: ReadonlySignal<readonly Resumption[]> = resumed;

/** Every hop the page knows, oldest first. */
export function allHops(): readonly KnownHop[] {
  return [...hops.values()];
}

/** Reads a hop whole: headers, bodies, all frames. */
export async function loadHop(id: number): Promise<Hop> {
  const whole = await api.get<Hop>(`hops/${id}`);
  const before = hops.get(id);
  const frames =
    before !== undefined && before.frames.length > whole.frames.length
      ? before.frames
      : whole.frames;
  hops.set(id, { summary: summaryOf(whole), whole, frames });
  version.value += 1;
  return whole;
}

/** Reads the list of hops that were there before the page. */
export async function loadHops(): Promise<void> {
  const { hops: listed } = await api.get<HopPage>(`hops?limit=${kept}`);
  const before = new Map(hops);
  hops.clear();
  for (const summary of listed)
    hops.set(summary.id, { frames: [], ...before.get(summary.id), summary });
  for (const [id, hop] of before) if (!hops.has(id)) hops.set(id, hop);
  version.value += 1;
}

/** Shows the hops of a recording in place of those of the backend. */
export function showRecordedHops(
  recorded: readonly Hop[],
  resumptionsOfIt: readonly Resumption[],
): void {
  hops.clear();
  for (const hop of recorded)
    hops.set(hop.id, { summary: summaryOf(hop), whole: hop, frames: hop.frames });
  resumed.value = resumptionsOfIt;
  version.value += 1;
}

onFeed((items: readonly FeedItem[]) => {
  let isChanged = false;
  for (const item of items) {
    if (item.kind === "hop") {
      const before = hops.get(item.hop.id);
      hops.set(item.hop.id, { frames: [], ...before, summary: item.hop });
      // What was read before the hop ended lacks its end.
      const known = hops.get(item.hop.id);
      if (known?.whole !== undefined && known.whole.timing.endedAt !== item.hop.timing.endedAt) {
        hops.set(item.hop.id, { summary: known.summary, frames: known.frames });
      }
      if (hops.size > kept) {
        const oldest = hops.keys().next().value;
        if (oldest !== undefined) hops.delete(oldest);
      }
      isChanged = true;
    } else if (item.kind === "frames") {
      const known = hops.get(item.hop);
      if (known !== undefined) {
        hops.set(item.hop, { ...known, frames: [...known.frames, ...item.frames] });
        isChanged = true;
      }
    } else if (item.kind === "resumed") {
      resumed.value = [
        ...resumed.value.filter(({ id }) => id !== item.resumption.id),
        item.resumption,
      ].slice(-kept);
    } else if (item.kind === "gap") {
      hops.clear();
      isChanged = true;
    }
  }
  if (isChanged) version.value += 1;
});

function summaryOf(hop: Hop): HopSummary {
  const {
    requestHeaders: _,
    requestBody,
    responseHeaders: __,
    responseBody,
    frames,
    ...rest
  } = hop;
  const bytes = frames.reduce((sum, frame) => sum + frame.bytes, 0);
  return {
    ...rest,
    frameCount: frames.length,
    bytes: bytes + (requestBody?.length ?? 0) + (responseBody?.length ?? 0),
  };
}
