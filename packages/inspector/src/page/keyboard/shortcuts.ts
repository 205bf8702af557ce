import { useEffect } from "preact/hooks";
import { singleKeys } from "../state/settings.js";

export interface Shortcut {
  /** `/`, `g c`, `Shift+ArrowRight`, `Ctrl+Enter`. */
  readonly keys: string;
  readonly does: string;
  readonly run: (event: KeyboardEvent) => void;
}

const active = new Set<readonly Shortcut[]>();
let first: { readonly key: string; readonly at: number } | undefined;

/** The shortcuts that work now, for the help. */
export function activeShortcuts(): readonly Shortcut[] {
  return [...active].flat();
}

/** Shortcuts that work while the component is there. Those of the component that came last go first. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  useEffect(() => {
    active.add(shortcuts);
    return () => void active.delete(shortcuts);
  }, [shortcuts]);
}

/** Listens to the keyboard. */
export function startKeyboard(): void {
  addEventListener("keydown", (event) => {
    if (event.defaultPrevented || event.isComposing) return;
    const key = nameOf(event);
    if (isTyped(key) && (singleKeys.peek() === "off" || isWriting(event.target))) return;
    const sequence =
      first !== undefined && event.timeStamp - first.at < 1500 ? `${first.key} ${key}` : key;
    first = undefined;
    const shortcut = find(sequence) ?? (sequence === key ? undefined : find(key));
    if (shortcut !== undefined) {
      if (isNative(key) && isControl(event.target)) return;
      event.preventDefault();
      shortcut.run(event);
    } else if (activeShortcuts().some(({ keys }) => keys.startsWith(`${key} `))) {
      first = { key, at: event.timeStamp };
    }
  });
}

function find(keys: string): Shortcut | undefined {
  return activeShortcuts().findLast((shortcut) => shortcut.keys === keys);
}

function nameOf(event: KeyboardEvent): string {
  const key = event.key === " " ? "Space" : event.key;
  const shift = event.shiftKey && key.length > 1 ? "Shift+" : "";
  return `${event.ctrlKey || event.metaKey ? "Ctrl+" : ""}${shift}${key}`;
}

/** A key that writes, or that moves the cursor in a text. */
function isTyped(key: string): boolean {
  return !key.startsWith("Ctrl+") && key !== "Escape";
}

function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement)
    return !["checkbox", "radio", "button"].includes(target.type);
  return target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement;
}

/** Keys that buttons, sliders and tabs understand by themselves. */
function isNative(key: string): boolean {
  return (
    key === "Space" || key === "Enter" || key === "Home" || key === "End" || key.includes("Arrow")
  );
}

function isControl(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false;
  return (
    target.closest(
      "button, a, input, select, textarea, summary, [role=slider], [role=tab], [role=listbox]",
    ) !== null
  );
}
