/** A time as HTTP writes it, in whole seconds. */
export function formatHttpDate(timeMs: number): string {
  return new Date(timeMs).toUTCString();
}

/** The three forms that a date in a header may have (RFC 9110, 5.6.7). The last has no zone, and means UTC. */
const forms = [
  /^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^\w{6,9}, \d\d-\w{3}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^\w{3} \w{3} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];

/** The time that a header names, in milliseconds; `undefined` if it is no date, which is to be ignored. */
export function parseHttpDate(text: string): number | undefined {
  if (!forms.some((form) => form.test(text))) return undefined;
  const timeMs = Date.parse(text.endsWith("GMT") ? text : `${text} GMT`);
  return Number.isNaN(timeMs) ? undefined : timeMs;
}
