/** The value of a cookie in a `Cookie` header, the first of its name. */
export function cookieOf(header: string | undefined, name: string): string | undefined {
  for (const pair of header?.split(";") ?? []) {
    const index = pair.indexOf("=");
    if (index === -1 || pair.slice(0, index).trim() !== name) continue;
    const value = pair.slice(index + 1).trim();
    return decode(/^".*"$/.test(value) ? value.slice(1, -1) : value);
  }
  return undefined;
}

/** Most write what a cookie cannot hold as URLs do; what is not written so stays as it is. */
function decode(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
