/** What a request is called in logs: as its caller or a proxy calls it, or a name of its own. */
export function requestIdOf(given: string | undefined): string {
  return given !== undefined && /^[\w.:/+=-]{1,128}$/.test(given) ? given : crypto.randomUUID();
}
