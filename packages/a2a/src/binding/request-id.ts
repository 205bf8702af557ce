/** The id of a request in logs: the caller's or a proxy's, if it is usable, else a new one. */
export function requestIdOf(given: string | undefined): string {
  return given !== undefined && /^[\w.:/+=-]{1,128}$/.test(given) ? given : crypto.randomUUID();
}
