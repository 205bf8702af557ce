import type { Log } from "./log.js";
import type { Metrics } from "./metrics.js";
import type { Tracer } from "../tracing/tracer.js";

/**
 * What an operator sees of a server or a client. Every part may be absent, and costs one comparison then. Nothing here
 * throws, and nothing here waits.
 */
export interface Telemetry {
  readonly tracer?: Tracer;
  readonly metrics?: Metrics;
  readonly log?: Log;
}
