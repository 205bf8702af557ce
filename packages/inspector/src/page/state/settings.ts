import { effect, signal } from "@preact/signals";
import type { Signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

/** What the theme is to be. Kept for the next visit. */
export const theme: Signal<Theme> = kept("theme", "system", ["system", "light", "dark"]);

/** Whether single letters are commands (WCAG 2.1.4 wants a way to switch them off). */
export const singleKeys: Signal<"on" | "off"> = kept("single-keys", "on", ["on", "off"]);

effect(() => {
  if (theme.value === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme.value;
});

export function isDark(): boolean {
  return theme.value === "system"
    ? matchMedia("(prefers-color-scheme: dark)").matches
    : theme.value === "dark";
}

function kept<T extends string>(name: string, first: T, allowed: readonly T[]): Signal<T> {
  const key = `parley-inspector-${name}`;
  const stored = localStorage.getItem(key) as T | null;
  const value = signal<T>(stored !== null && allowed.includes(stored) ? stored : first);
  effect(() => localStorage.setItem(key, value.value));
  return value;
}
