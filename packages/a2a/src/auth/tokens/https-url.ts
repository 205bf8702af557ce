/** A URL that secrets may be sent to: over TLS, or to this machine itself. */
export function httpsUrl(url: string): URL {
  const parsed = new URL(url);
  if (parsed.protocol === "https:" || isLoopback(parsed)) return parsed;
  throw new Error(`${url} is not https`);
}

/** Plain HTTP is for what does not leave the machine. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  const isLocal =
    hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
  return protocol === "http:" && isLocal;
}
