/** The id that a caller or a proxy gave a request, if it is usable in logs. */
export function usableRequestId(given: string | undefined): string | undefined {
  return given !== undefined && /^[\w.:/+=-]{1,128}$/.test(given) ? given : undefined;
}

/** The id of a request in logs: the given one, if it is usable, else a new one. */
export function requestIdOf(given: string | undefined): string {
  return usableRequestId(given) ?? crypto.randomUUID();
}
