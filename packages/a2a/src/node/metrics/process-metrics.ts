import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import process from "node:process";
import { getHeapStatistics } from "node:v8";
import { systemClock } from "../../async/internal.js";
import { instruments } from "../../protocol/telemetry/internal.js";
import type { Metrics } from "../../protocol/internal.js";

const windowMs = 15_000;

/** Measures this process: its event loop and its memory. Returns what ends it. */
export function measureProcess(metrics: Metrics): () => void {
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  let before = performance.eventLoopUtilization();
  let last: { readonly p99: number; readonly utilization: number } | undefined;
  const look = (): { readonly p99: number; readonly utilization: number } => ({
    // The timer itself waits for ten milliseconds, which are no delay.
    p99: Math.max(0, delays.percentile(99) / 1e9 - 0.01),
    utilization: performance.eventLoopUtilization(before).utilization,
  });
  let cancel: () => void;
  const next = (): void => {
    last = look();
    delays.reset();
    before = performance.eventLoopUtilization();
    cancel = systemClock.after(windowMs, next);
  };
  cancel = systemClock.after(windowMs, next);
  const { loopDelay, loopUtilization, heapUsed, heapLimit, residentMemory } = instruments;
  const taken = [
    metrics.gauge(loopDelay, {}, () => (last ?? look()).p99),
    metrics.gauge(loopUtilization, {}, () => (last ?? look()).utilization),
    metrics.gauge(heapUsed, {}, () => process.memoryUsage().heapUsed),
    metrics.gauge(heapLimit, {}, () => getHeapStatistics().heap_size_limit),
    metrics.gauge(residentMemory, {}, () => process.memoryUsage.rss()),
  ];
  return () => {
    cancel();
    delays.disable();
    for (const stop of taken) stop();
  };
}
