import { ROOT_CONTEXT, trace as traces } from "@opentelemetry/api";
import type { Attributes, Context, Meter } from "@opentelemetry/api";
import type { Instrument, Labels, Metrics, TraceContext } from "../protocol/internal.js";
import { toSpanContext } from "./span-context.js";

/** A series of a gauge. Several readers of one series are added up. */
interface Reading {
  readonly attributes: Attributes;
  readonly readers: Set<() => number | undefined>;
}

/** Metrics over a meter of OpenTelemetry: the instruments, values and attributes that `/metrics` has. */
export function createMetrics(meter: Meter): Metrics {
  const gauges = new Map<string, Map<string, Reading>>();
  const gaugeOf = (instrument: Instrument): Map<string, Reading> => {
    const known = gauges.get(instrument.name);
    if (known !== undefined) return known;
    const readings = new Map<string, Reading>();
    gauges.set(instrument.name, readings);
    meter.createObservableGauge(instrument.name, about(instrument)).addCallback((result) => {
      for (const { attributes, readers } of readings.values()) {
        const sum = sumOf(readers);
        if (sum !== undefined) result.observe(sum, attributes);
      }
    });
    return readings;
  };
  return {
    counter(instrument, labels = {}) {
      const counter = meter.createCounter(instrument.name, about(instrument));
      const attributes = attributesOf(labels);
      return (increment) => counter.add(increment, attributes);
    },
    histogram(instrument, labels = {}) {
      const { bounds = [] } = instrument;
      const advice = { explicitBucketBoundaries: [...bounds] };
      const histogram = meter.createHistogram(instrument.name, { ...about(instrument), advice });
      const attributes = attributesOf(labels);
      return (value, trace) => histogram.record(value, attributes, contextOf(trace));
    },
    gauge(instrument, labels, read) {
      const readings = gaugeOf(instrument);
      const key = JSON.stringify(labels);
      const reading = readings.get(key) ?? { attributes: attributesOf(labels), readers: new Set() };
      readings.set(key, reading);
      reading.readers.add(read);
      return () => void reading.readers.delete(read);
    },
  };
}

function about({ unit, description }: Instrument): { unit: string; description: string } {
  return { unit, description };
}

/** A label that is empty is none. */
function attributesOf(labels: Labels): Attributes {
  return Object.fromEntries(Object.entries(labels).filter(([, value]) => value !== ""));
}

/** Where an SDK looks for the trace that a value is an example of. */
function contextOf(trace: TraceContext | undefined): Context | undefined {
  return trace && traces.setSpanContext(ROOT_CONTEXT, toSpanContext(trace));
}

/** What the readers of a series say together; nothing where none of them knows. */
function sumOf(readers: ReadonlySet<() => number | undefined>): number | undefined {
  const values = [...readers].flatMap((read) => read() ?? []);
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);
}
