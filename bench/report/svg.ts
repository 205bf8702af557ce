/** Mid tones, readable on a light page and on a dark one: a picture in a page does not know which it is on. */
export const colours: Readonly<Record<"ours" | "theirs" | "text" | "rule", string>> = {
  ours: "#2f81f7",
  theirs: "#8c959f",
  text: "#6e7781",
  rule: "#8c959f55",
};

export const width = 760;

export interface TextOptions {
  readonly size?: number;
  readonly anchor?: "start" | "middle" | "end";
  readonly isBold?: boolean;
  readonly fill?: string;
}

export function text(
  x: number,
  y: number,
  words: string,
  { size = 12, anchor = "start", isBold = false, fill = colours.text }: TextOptions = {},
): string {
  const weight = isBold ? ' font-weight="600"' : "";
  return `<text x="${round(x)}" y="${round(y)}" font-size="${size}" text-anchor="${anchor}" fill="${fill}"${weight}>${escape(words)}</text>`;
}

export function rectangle(
  x: number,
  y: number,
  size: { readonly width: number; readonly height: number },
  fill: string,
): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(Math.max(size.width, 1))}" height="${round(size.height)}" rx="2" fill="${fill}"/>`;
}

export function line(
  from: readonly [x: number, y: number],
  to: readonly [x: number, y: number],
  stroke: string,
  strokeWidth = 1,
): string {
  const [x1, y1, x2, y2] = [...from, ...to].map(round);
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${stroke}" stroke-width="${strokeWidth}"/>`;
}

export function polyline(points: readonly (readonly [number, number])[], stroke: string): string {
  const places = points.map(([x, y]) => `${round(x)},${round(y)}`).join(" ");
  return `<polyline points="${places}" fill="none" stroke="${stroke}" stroke-width="2"/>`;
}

export function dot(x: number, y: number, fill: string): string {
  return `<circle cx="${round(x)}" cy="${round(y)}" r="3.5" fill="${fill}"/>`;
}

/** Puts shapes into a picture of a height, with a title for those who cannot see it. */
export function picture(title: string, height: number, shapes: readonly string[]): string {
  const font = "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif";
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${Math.ceil(height)}" width="${width}" height="${Math.ceil(height)}" font-family="${font}" role="img">`,
    `<title>${escape(title)}</title>`,
    ...shapes,
    "</svg>",
    "",
  ].join("\n");
}

function escape(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
