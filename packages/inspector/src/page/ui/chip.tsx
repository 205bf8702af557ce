import type { ComponentChild, ComponentChildren } from "preact";
import { Mark } from "./mark.js";
import type { Shape, Tone } from "./mark.js";

export interface ChipProps {
  readonly tone: Tone;
  readonly children: ComponentChildren;
  readonly shape?: Shape;
  /** Without the coloured shape: for tags that are no states. */
  readonly plain?: boolean;
  readonly title?: string;
}

export function Chip({ tone, shape, children, plain = false, title }: ChipProps): ComponentChild {
  return (
    <span class="chip" data-tone={tone} title={title}>
      {plain ? null : <Mark tone={tone} {...(shape === undefined ? {} : { shape })} />}
      {children}
    </span>
  );
}
