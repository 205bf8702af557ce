/** `Label: value` on one line. Line breaks of the value become spaces. */
export function textLine(label: string, value: string): string {
  return `${label}: ${printable(value).replaceAll(/\s*\n\s*/g, " ")}\n`;
}

/** `Label:`, then the lines of the text, then an empty line. */
export function textBlock(label: string, text: string): string {
  const lines = printable(text).replace(/\n+$/, "");
  return `${label}:\n${lines}\n\n`;
}

/**
 * Text of others, without what a terminal would take for a command: no control characters but line breaks and tabs.
 */
export function printable(text: string): string {
  return text.replaceAll("\r\n", "\n").replaceAll(/(?![\n\t])\p{Cc}/gu, "");
}
