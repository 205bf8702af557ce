import { expose } from "../../src/node/metrics/exposition.js";
import { Registry } from "../../src/node/metrics/registry.js";
import { readSamples, valueOf } from "./read-samples.js";
import type { Sample } from "./read-samples.js";

/** What one node counts, in the form in which Prometheus reads it. */
export interface NodeMetrics {
  readonly metrics: Registry;
  /** The sum of the samples of a name that have these labels; `undefined` when there are none. */
  readonly value: (name: string, labels?: Readonly<Record<string, string>>) => number | undefined;
  readonly samples: () => readonly Sample[];
}

export function createNodeMetrics(): NodeMetrics {
  const metrics = new Registry();
  const samples = (): readonly Sample[] => readSamples(expose(metrics, "text"));
  return { metrics, samples, value: (name, labels) => valueOf(samples(), name, labels) };
}
