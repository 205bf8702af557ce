/** The part of the client that is loaded when it has telemetry. */
import type { AgentCard, AgentService, Telemetry } from "../protocol/internal.js";
import { measured } from "../protocol/telemetry/internal.js";
import { traceCalls } from "./trace-calls.js";
import type { TracedCalls } from "./trace-calls.js";

/** The agent that is called, and where what is seen of its calls goes. */
interface Observation {
  readonly telemetry: Telemetry;
  readonly card: AgentCard;
  readonly url: string;
  readonly binding: string;
}

/** Counts the calls of a client, and makes their spans. */
export function observe(
  service: AgentService,
  { telemetry: { tracer, metrics }, card, url, binding }: Observation,
): Pick<TracedCalls, "service"> & Partial<TracedCalls> {
  const counted =
    metrics === undefined ? service : measured(service, { metrics, side: "client", binding });
  if (tracer === undefined) return { service: counted };
  return traceCalls(counted, { tracer, card, url });
}
