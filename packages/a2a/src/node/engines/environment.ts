import process from "node:process";

/** A variable of the environment; `undefined` if it is not set or empty. */
export function readVariable(name: string): string | undefined {
  const value = process.env[name];
  return value === undefined || value === "" ? undefined : value;
}

/** How long a server stays open once it has to stop: as given, else by `PARLEY_DRAIN_DELAY_MS`, else 0. */
export function drainDelayOf(given: number | undefined): number {
  const variable = readVariable("PARLEY_DRAIN_DELAY_MS");
  if (given !== undefined || variable === undefined) return given ?? 0;
  if (/^\d{1,9}$/.test(variable)) return Number(variable);
  const expected = "a whole number of milliseconds, such as 5000";
  throw new Error(`PARLEY_DRAIN_DELAY_MS is ${JSON.stringify(variable)}; expected ${expected}`);
}
