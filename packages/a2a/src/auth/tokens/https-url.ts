/** Parses a URL to which secrets may be sent: over TLS, or on the loopback interface. Throws for any other. */
export function httpsUrl(url: string): URL {
  const parsed = new URL(url);
  if (parsed.protocol === "https:" || isLoopback(parsed)) return parsed;
  throw new Error(`${url} is not an https URL`);
}

/** Whether a URL is plain HTTP on the loopback interface. */
export function isLoopback({ protocol, hostname }: URL): boolean {
  const isLocal =
    hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d+){3}$/.test(hostname);
  return protocol === "http:" && isLocal;
}
