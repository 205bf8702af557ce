import type { Instrument } from "../../protocol/internal.js";
import { Histogram } from "./histogram.js";
import type { Exemplar } from "./histogram.js";
import type { Family, Registry, Series } from "./registry.js";

/** The two formats that Prometheus reads. Only OpenMetrics has examples. */
export type Format = "text" | "openmetrics";

export const contentTypes: Readonly<Record<Format, string>> = {
  text: "text/plain; version=0.0.4; charset=utf-8",
  openmetrics: "application/openmetrics-text; version=1.0.0; charset=utf-8",
};

const units: Readonly<Record<string, string>> = { s: "seconds", By: "bytes" };

/** The name of an instrument as Prometheus has it: `parley_task_created_total`. */
export function prometheusName({ name, unit, kind }: Instrument): string {
  const base = baseName(name, unit, kind);
  return kind === "counter" ? `${base}_total` : base;
}

function baseName(name: string, unit: string, kind: Instrument["kind"]): string {
  const plain = name.replaceAll(/[^a-zA-Z\d_]/gu, "_");
  const suffix = unit === "1" && kind === "gauge" ? "ratio" : units[unit];
  return suffix === undefined || plain.endsWith(`_${suffix}`) ? plain : `${plain}_${suffix}`;
}

/** All values of a registry. */
export function expose({ families }: Registry, format: Format): string {
  const text = [...families.values()].map((family) => familyText(family, format)).join("");
  return format === "openmetrics" ? `${text}# EOF\n` : text;
}

function familyText({ instrument, series }: Family, format: Format): string {
  const lines: string[] = [];
  const sample = prometheusName(instrument);
  for (const [labels, one] of series) addLines(lines, { sample, labels, one, format });
  if (lines.length === 0) return "";
  const { kind, description, unit, name } = instrument;
  const family = format === "openmetrics" ? baseName(name, unit, kind) : sample;
  const help = description.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
  const heads = [`# HELP ${family} ${help}`, `# TYPE ${family} ${kind}`];
  return `${[...heads, ...lines].join("\n")}\n`;
}

interface Sample {
  readonly sample: string;
  readonly labels: string;
  readonly one: Series;
  readonly format: Format;
}

function addLines(lines: string[], { sample, labels, one, format }: Sample): void {
  const braced = labels === "" ? "" : `{${labels}}`;
  if (one instanceof Histogram) {
    let count = 0;
    for (let bucket = 0; bucket < one.counts.length; bucket += 1) {
      count += one.counts[bucket]!;
      const bound = one.bounds[bucket] ?? "+Inf";
      const le = format === "openmetrics" && Number.isInteger(bound) ? `${bound}.0` : `${bound}`;
      const all = `${labels === "" ? "" : `${labels},`}le="${le}"`;
      const example = format === "openmetrics" ? exampleText(one.exemplar(bucket)) : "";
      lines.push(`${sample}_bucket{${all}} ${count}${example}`);
    }
    lines.push(`${sample}_sum${braced} ${one.sum}`, `${sample}_count${braced} ${count}`);
    return;
  }
  const value = one instanceof Set ? sumOf(one) : one.value;
  if (value !== undefined) lines.push(`${sample}${braced} ${value}`);
}

function exampleText(exemplar: Exemplar | undefined): string {
  if (exemplar === undefined) return "";
  const { traceId, value, at } = exemplar;
  return ` # {trace_id="${traceId}"} ${value} ${at / 1000}`;
}

/** What the readers of a gauge say together; nothing where none of them knows. */
function sumOf(readers: ReadonlySet<() => number | undefined>): number | undefined {
  let sum: number | undefined;
  for (const read of readers) {
    const value = safely(read);
    if (value !== undefined) sum = (sum ?? 0) + value;
  }
  return sum;
}

function safely(read: () => number | undefined): number | undefined {
  try {
    const value = read();
    return value === undefined || Number.isNaN(value) ? undefined : value;
  } catch {
    return undefined;
  }
}
