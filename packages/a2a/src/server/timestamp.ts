/** A time as the protocol writes it. */
export function timestampOf(now: number): string {
  return new Date(now).toISOString();
}
