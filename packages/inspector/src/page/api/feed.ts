import { signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";
import type { FeedItem } from "../../contract/index.js";
import { api } from "./client.js";
import { ProblemError } from "./problem-error.js";

/** `idle` where nothing is followed: before the session, and in file mode. */
export type BackendStatus = "idle" | "connecting" | "live" | "lost";

const status = signal<BackendStatus>("idle");
const listeners = new Set<(items: readonly FeedItem[]) => void>();

/** Whether the page hears what happens. */
export const backendStatus: ReadonlySignal<BackendStatus> = status;

/** Calls back with what happens, once an animation frame at most. Returns how to stop. */
export function onFeed(listener: (items: readonly FeedItem[]) => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

let last: number | undefined;
let waiting: FeedItem[] = [];

/**
 * Follows the feed until `stop`, through losses of the backend: it asks again for what came after the last item. Calls
 * `onLive` whenever the backend has begun to answer.
 */
export async function followFeed(stop: AbortSignal, onLive?: () => void): Promise<void> {
  status.value = "connecting";
  let pause = 250;
  while (!stop.aborted) {
    try {
      const path = last === undefined ? "events" : `events?after=${last}`;
      const events = await api.stream(path, undefined, { signal: stop });
      status.value = "live";
      pause = 250;
      onLive?.();
      for await (const { data } of events) {
        take(JSON.parse(data) as FeedItem);
      }
    } catch (error) {
      if (stop.aborted || (error instanceof ProblemError && error.status === 401)) return;
    }
    status.value = "lost";
    await sleep(pause);
    pause = Math.min(pause * 2, 4000);
  }
}

function take(item: FeedItem): void {
  last = item.number;
  waiting.push(item);
  if (waiting.length > 1) return;
  // A hidden tab has no animation frames; its feed must not pile up.
  if (document.hidden) setTimeout(flush, 100);
  else requestAnimationFrame(flush);
}

function flush(): void {
  const items = waiting;
  waiting = [];
  if (items.length > 0) for (const listener of listeners) listener(items);
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
