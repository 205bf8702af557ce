import type { Choices } from "../engine/choices.js";

/**
 * What a handler does, one letter each:
 * `c` tells chunks, `w` a status, `s` takes a step, `q` asks, `a` asks for authorization, `t` tells a named stream, `n` awaits a message, `l` works for
 * longer than a lease, `d` works without minding its signal, `x` fails, `r` replies without a task.
 */
export type Plan = readonly string[];

const common = ["c3", "s", "q", "t3", "c1", "w", "l", "n", "a", "d"] as const;

/** Draws what a task is to do. The tame one tells a chunk. */
export function drawPlan(choices: Choices, key: string): Plan {
  const kind = choices.choose(`${key}/kind`, 12);
  if (kind === 11) return ["r"];
  const length = 1 + choices.choose(`${key}/length`, 5);
  const plan = Array.from({ length }, () => choices.pick(`${key}/do`, common));
  return kind === 10 ? [...plan, "x"] : plan;
}

/** Reads a plan from the text of a message. A text that is none is a short one. */
export function parsePlan(text: string): Plan {
  const [mark, ...plan] = text.split(" ");
  return mark === "plan" && plan.length > 0 ? plan : ["c1"];
}

export function planText(plan: Plan): string {
  return ["plan", ...plan].join(" ");
}
