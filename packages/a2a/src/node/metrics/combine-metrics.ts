import type { Metrics } from "../../protocol/internal.js";

/** Counts in two places at once. */
export function combineMetrics(one: Metrics, other: Metrics): Metrics {
  return {
    counter(instrument, labels) {
      const [add, also] = [one.counter(instrument, labels), other.counter(instrument, labels)];
      return (increment) => {
        add(increment);
        also(increment);
      };
    },
    histogram(instrument, labels) {
      const [add, also] = [one.histogram(instrument, labels), other.histogram(instrument, labels)];
      return (value, trace) => {
        add(value, trace);
        also(value, trace);
      };
    },
    gauge(instrument, labels, read) {
      const [stop, stopOther] = [
        one.gauge(instrument, labels, read),
        other.gauge(instrument, labels, read),
      ];
      return () => {
        stop();
        stopOther();
      };
    },
  };
}
