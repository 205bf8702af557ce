import type { ComponentChild } from "preact";

/** Keys, as they are pressed: `g c`, `Ctrl+Enter`. */
export function KeyHint({ keys }: { readonly keys: string }): ComponentChild {
  return <kbd class="key">{keys.replace("Enter", "↵").replace("Ctrl+", "Ctrl ")}</kbd>;
}
