import { signal } from "@preact/signals";
import type { Signal } from "@preact/signals";
import type { Tone } from "../ui/index.js";

/** The numbers beside the screens in the navigation, by route: tasks, and what an operator should look at. */
export const navigationCounts: Signal<
  Readonly<Record<string, { readonly value: number; readonly tone: Tone }>>
> = signal({});
