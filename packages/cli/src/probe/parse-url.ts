/** A URL; `undefined` if the text is none. `URL.canParse` of node 20 refuses hosts beyond ASCII once it is optimized. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
