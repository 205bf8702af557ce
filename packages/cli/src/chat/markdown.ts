const styles = {
  bold: ["\u001B[1m", "\u001B[22m"],
  italic: ["\u001B[3m", "\u001B[23m"],
  dim: ["\u001B[2m", "\u001B[22m"],
  cyan: ["\u001B[36m", "\u001B[39m"],
  underline: ["\u001B[4m", "\u001B[24m"],
} as const;

const styled = (style: keyof typeof styles, text: string): string =>
  `${styles[style][0]}${text}${styles[style][1]}`;

/**
 * Renders Markdown for a terminal, a line at a time, so that a text can be shown while it grows: headings, emphasis, code,
 * lists, quotes and links. Everything else stays as it is written.
 */
export class MarkdownLines {
  #isCode = false;

  /** A line as a terminal shows it. */
  render(line: string): string {
    if (/^\s*(?:```|~~~)/.test(line)) {
      this.#isCode = !this.#isCode;
      return styled("dim", line);
    }
    if (this.#isCode) return styled("cyan", line);
    const [, heading] = /^#{1,6}\s+(.*?)\s*#*$/.exec(line) ?? [];
    if (heading !== undefined) return styled("bold", renderSpans(heading));
    if (/^\s*(?:[-*_]\s*){3,}$/.test(line)) return styled("dim", "─".repeat(40));
    const [, quoted] = /^\s*>\s?(.*)$/.exec(line) ?? [];
    if (quoted !== undefined) return `${styled("dim", "│")} ${renderSpans(quoted)}`;
    const [, indent, item] = /^(\s*)[-*+]\s+(.*)$/.exec(line) ?? [];
    if (item !== undefined) return `${indent}• ${renderSpans(item)}`;
    return renderSpans(line);
  }
}

/** The spans of a line. What is between backticks is code, and nothing else. */
function renderSpans(line: string): string {
  return line
    .split(/(`[^`]+`)/)
    .map((piece) =>
      /^`[^`]+`$/.test(piece) ? styled("cyan", piece.slice(1, -1)) : renderEmphasis(piece),
    )
    .join("");
}

function renderEmphasis(text: string): string {
  return text
    .replaceAll(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label: string, url: string) =>
      label === url ? styled("underline", url) : `${label} (${styled("underline", url)})`,
    )
    .replaceAll(/\*\*([^*]+)\*\*|__([^_]+)__/g, (_, stars?: string, lines?: string) =>
      styled("bold", stars ?? lines ?? ""),
    )
    .replaceAll(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, (_, inner: string) =>
      styled("italic", inner),
    );
}
