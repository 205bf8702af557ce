import { readFile } from "node:fs/promises";
import process from "node:process";

/** A number that must not exceed its bar. */
export interface Measure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly bar: number;
  readonly note?: string;
}

/** Prints a measure. Returns whether its bar was met. */
export function report({ name, value, unit, bar, note }: Measure): boolean {
  const isMet = value <= bar;
  const verdict = `bar ${bar}${unit}, ${isMet ? "met" : "MISSED"}`;
  process.stdout.write(`${name}: ${value.toFixed(2)}${unit} (${verdict})${note ?? ""}\n`);
  return isMet;
}

export function progress(text: string): void {
  process.stderr.write(`${text} …\n`);
}

/** Returns how many milliseconds the work takes. */
export async function time(work: () => Promise<void> | void): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Returns how many bytes this process has handed to the system to write; `NaN` where the system does not say. */
export async function bytesWritten(): Promise<number> {
  return (await bytesOut()).handedOver;
}

/** Returns how many bytes this process has handed to the system to write, and how many of them went to a disk. */
export async function bytesOut(): Promise<{
  readonly handedOver: number;
  readonly toDisk: number;
}> {
  const text = await readFile("/proc/self/io", "utf8").catch(() => "");
  const read = (name: string): number =>
    Number(new RegExp(`^${name}: (\\d+)$`, "m").exec(text)?.[1] ?? Number.NaN);
  return { handedOver: read("wchar"), toDisk: read("write_bytes") };
}
