import type { Handler } from "../../src/server/index.js";
import { textOf } from "../../src/server/internal.js";
import { createDeferred } from "../support/time/deferred.js";
import { settle } from "../support/time/until.js";

/**
 * What a handler does, a letter each: says something, takes a step, asks, takes a message if there is one
 * soon, waits a turn, hangs until it is let go; and how it ends, if not well.
 */
export const letters = ["s", "t", "q", "n", "w", "h"] as const;
export const endings = ["", "f", "r", "i"] as const;

/** One handler at work: from its start until it ends, is left, or asks. */
interface Activation {
  readonly node: string;
  readonly signal: AbortSignal;
}

/** An agent that does what it is told, and sees to it that it is never at work twice on one task. */
export interface ScriptedAgent {
  readonly run: (node: string) => Handler;
  /** Where two handlers were at work on one task, of those on nodes that were never held up. */
  readonly collisions: readonly string[];
  /** Handlers on this node may not know that they have lost their tasks. */
  holdUp(node: string): void;
  /** Lets all go that hang, now or later. */
  letGo(): void;
}

export function createScriptedAgent(): ScriptedAgent {
  const atWork = new Map<string, Set<Activation>>();
  const heldUp = new Set<string>();
  const collisions: string[] = [];
  const release = createDeferred<void>();

  const run = (node: string): Handler =>
    async function* ({ text, taskId, signal, step, ask, nextMessage, fail, reject }) {
      const activation = { node, signal };
      const others = atWork.get(taskId) ?? new Set();
      atWork.set(taskId, others);
      const begin = (): void => {
        for (const other of others) {
          if (!other.signal.aborted && !heldUp.has(other.node) && !heldUp.has(node)) {
            collisions.push(`${taskId}: ${other.node} and ${node}`);
          }
        }
        others.add(activation);
      };
      begin();
      try {
        let said = 0;
        for (const letter of text.replace(/ .*$/, "")) {
          if (letter === "s") yield `${(said += 1)} `;
          if (letter === "t") await step("t", () => node);
          if (letter === "q") {
            others.delete(activation);
            const answer = await ask("?");
            begin();
            yield { status: `heard ${textOf(answer)}` };
          }
          if (letter === "n") {
            // Whether one comes is chance, and chance belongs in a step.
            const hears = await step("wait", async () => text.length % 2 === 0);
            if (hears) void nextMessage().catch(() => undefined);
          }
          if (letter === "w") await settle();
          if (letter === "h") await Promise.race([release.promise, aborted(signal)]);
        }
        if (text.startsWith("f", text.indexOf(" ") - 1)) fail("as told");
        if (text.startsWith("r", text.indexOf(" ") - 1)) reject("as told");
        if (text.startsWith("i", text.indexOf(" ") - 1)) return { inputRequired: "more?" };
        return undefined;
      } finally {
        others.delete(activation);
      }
    };

  return {
    run,
    collisions,
    holdUp: (node) => heldUp.add(node),
    letGo: () => release.resolve(),
  };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
