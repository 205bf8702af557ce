import type { ComponentChild } from "preact";

/** Control characters, those that turn the direction of text, and those that have no width. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A name that came from outside, on one line: `invoice‮fdp.exe` is shown as `invoice[U+202E]fdp.exe`. */
export function visibleName(name: string): string {
  return name.replace(
    hidden,
    (char) => `[U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}]`,
  );
}

/** A name that came from outside. It cannot turn the text around it. */
export function VisibleName({ name }: { readonly name: string }): ComponentChild {
  return <bdi>{visibleName(name)}</bdi>;
}
