import process from "node:process";

/** A number with what it should be. */
export interface Row {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** The bar: at least, or at most, this much. */
  readonly atLeast?: number;
  readonly atMost?: number;
  readonly note?: string;
}

/** Prints the numbers of one series as rows of a table: name, value, target, verdict, note. */
export function printRows(rows: readonly Row[]): void {
  for (const { name, value, unit, atLeast, atMost, note = "" } of rows) {
    const target = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
    const isMet = value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);
    const cells = [name, `${round(value)}${unit}`, `${target}${unit}`, isMet ? "met" : "not met"];
    process.stdout.write(`| ${[...cells, note].join(" | ")} |\n`);
  }
}

export function printHead(): void {
  process.stdout.write("| series | value | target | verdict | note |\n|---|---|---|---|---|\n");
}

export function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) < 0.1 ? 4 : 2);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
