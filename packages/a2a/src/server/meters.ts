import { instruments } from "../protocol/telemetry/internal.js";
import { attribute } from "../protocol/tracing/internal.js";
import type { Metrics } from "../protocol/internal.js";

/** What became of a run that was begun again. */
export type Recovered = "resumed" | "failed" | "not-possible";

/** What became of an attempt to send a push notification. */
export type PushAttempt = "arrived" | "failed" | "buried";

/** What a runtime counts while it works. Times are in milliseconds. */
export interface Meters {
  runEnded(ms: number): void;
  recovered(outcome: Recovered): void;
  /** This node was woken, and has read what another one wrote so long ago, as its own clock has it. */
  woken(ms: number): void;
  /** A poll has found entries of which no wake-up had told. */
  pollFound(entries: number): void;
  busLost(): void;
  pushAttempted(outcome: PushAttempt): void;
  pushArrived(ms: number): void;
}

interface MeterParts {
  readonly agent: string;
  /** The kind of the bus. */
  readonly bus: string;
  /** How far this node's clock is ahead of the store's, which says when an entry was committed. */
  readonly aheadMs: () => number;
}

/** Opens the series of a runtime once, so that to count is to add. */
export function createMeters(metrics: Metrics, { agent, bus, aheadMs }: MeterParts): Meters {
  const ofAgent = { [attribute.agentName]: agent };
  const ofBus = { [attribute.bus]: bus };
  const byOutcome = (outcome: string): Record<string, string> => ({
    ...ofAgent,
    [attribute.outcome]: outcome,
  });
  const { runDuration, runRecovered, wakeupDelay, pollFound, busLost } = instruments;
  const { pushAttempts, pushDelay } = instruments;
  const run = metrics.histogram(runDuration, ofAgent);
  const wakeup = metrics.histogram(wakeupDelay, ofBus);
  const found = metrics.counter(pollFound, ofBus);
  const lost = metrics.counter(busLost, { ...ofAgent, ...ofBus });
  const delay = metrics.histogram(pushDelay, ofAgent);
  const recoveries = {
    resumed: metrics.counter(runRecovered, byOutcome("resumed")),
    failed: metrics.counter(runRecovered, byOutcome("failed")),
    "not-possible": metrics.counter(runRecovered, byOutcome("not-possible")),
  };
  const attempts = {
    arrived: metrics.counter(pushAttempts, byOutcome("arrived")),
    failed: metrics.counter(pushAttempts, byOutcome("failed")),
    buried: metrics.counter(pushAttempts, byOutcome("buried")),
  };
  return {
    runEnded: (ms) => run(ms / 1000),
    recovered: (outcome) => recoveries[outcome](1),
    woken: (ms) => wakeup(Math.max(ms - aheadMs(), 0) / 1000),
    pollFound: found,
    busLost: () => lost(1),
    pushAttempted: (outcome) => attempts[outcome](1),
    pushArrived: (ms) => delay(Math.max(ms, 0) / 1000),
  };
}

/** The first word of a description: `postgres db.example/agents` is of the kind `postgres`. Places are no labels. */
export function kindOf(description: string): string {
  if (description === "this process") return "process";
  return /^[\w-]{1,32}/u.exec(description)?.[0] ?? "other";
}
