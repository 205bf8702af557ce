import process from "node:process";
import { table } from "../report/table.js";

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

export const head: readonly string[] = ["what", "value", "target", "verdict", "note"];

/** A number as cells of a table, see `head`. */
export function cellsOf({ name, value, unit, atLeast, atMost, note = "" }: Row): readonly string[] {
  const target = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
  const isMet = value >= (atLeast ?? -Infinity) && value <= (atMost ?? Infinity);
  const verdict = isMet ? "met" : "not met";
  return [name, `${round(value)}${unit}`, `${target}${unit}`, verdict, note];
}

export function printRows(rows: readonly Row[]): void {
  for (const row of rows) process.stdout.write(`| ${cellsOf(row).join(" | ")} |\n`);
}

export function printHead(): void {
  process.stdout.write(`${table(head, [])}\n`);
}

export function round(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(Math.abs(value) < 0.1 ? 4 : 2);
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
