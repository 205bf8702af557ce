/** The value of the first cookie of this name in a `Cookie` header. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const index = pair.indexOf("=");
    if (index === -1 || pair.slice(0, index).trim() !== name) continue;
    const value = pair.slice(index + 1).trim();
    return decode(/^".*"$/.test(value) ? value.slice(1, -1) : value);
  }
  return undefined;
}

/** Most servers percent-encode what a cookie cannot hold. A value that does not decode stays as it is. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
