/**
 * An absolute URL, or `undefined` for a text that is none. `URL.canParse` cannot be used: once node 20 has
 * optimized it, it refuses every host beyond ASCII, such as `https://bücher.example/`.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}
