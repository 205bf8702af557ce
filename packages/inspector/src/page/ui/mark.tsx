import type { ComponentChild } from "preact";

/** What a colour means. */
export type Tone = "neutral" | "working" | "waiting" | "done" | "failed" | "artifact" | "accent";

export type Shape = "dot" | "diamond" | "square" | "ring";

const shapes: Readonly<Record<Tone, Shape>> = {
  neutral: "dot",
  working: "dot",
  waiting: "diamond",
  done: "dot",
  failed: "square",
  artifact: "dot",
  accent: "dot",
};

/** The coloured shape of a state. A word must stand beside it. */
export function Mark({
  tone,
  shape = shapes[tone],
}: {
  tone: Tone;
  shape?: Shape;
}): ComponentChild {
  return <span class="mark" data-tone={tone} data-shape={shape} aria-hidden="true" />;
}
