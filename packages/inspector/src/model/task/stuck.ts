import type { StuckReason } from "../../contract/index.js";

/** What each reason is called, and what it means to an operator who has never seen it. */
const reasons: Record<StuckReason, { readonly name: string; readonly meaning: string }> = {
  "no-lease": {
    name: "No node works on it",
    meaning: "The task is at work, and no node with a lease holds it.",
  },
  silent: {
    name: "Silent",
    meaning: "Its node lives, and its log has had no entry for long.",
  },
  "cancel-ignored": {
    name: "Cancel ignored",
    meaning: "A caller has canceled it, and its handler has not ended within the grace.",
  },
  "crash-loop": {
    name: "Crash loop",
    meaning: "Nodes take it up again and again, and its log stands still.",
  },
};

export function describeStuck(reason: StuckReason): { name: string; meaning: string } {
  return reasons[reason] ?? { name: reason, meaning: "" };
}
