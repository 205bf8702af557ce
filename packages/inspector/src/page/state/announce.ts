import { signal } from "@preact/signals";
import type { ReadonlySignal } from "@preact/signals";

const said = signal("");
let next: string | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** What screen readers are told, politely. */
export const announcement: ReadonlySignal<string> = said;

/** Tells screen readers. One announcement in two seconds: what comes faster is replaced by what comes last. */
export function announce(text: string): void {
  if (timer !== undefined) {
    next = text;
    return;
  }
  said.value = text;
  timer = setTimeout(() => {
    timer = undefined;
    if (next === undefined) return;
    const waiting = next;
    next = undefined;
    announce(waiting);
  }, 2000);
}
