import type { TraceContext } from "../call-context.js";

/** Version, trace, span and flags. Later versions may add more, which is left out. */
const traceparentForm =
  /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(?=$|-)/;

/** The most of a `tracestate` that is kept, in characters. */
const maxTracestate = 512;

/**
 * A trace context from what a caller has sent; `undefined` for none, and for one that is malformed. A `tracestate` that is
 * too long or malformed is left out. Where two senders have added a `traceparent`, a library and what instruments it for
 * example, the later one counts.
 */
export function readTrace(
  traceparent: string | undefined,
  tracestate?: string,
): TraceContext | undefined {
  if (traceparent === undefined || traceparent.length > maxTracestate) return undefined;
  const latest = traceparent.slice(traceparent.lastIndexOf(",") + 1).trim();
  const [known] = traceparentForm.exec(latest) ?? [];
  if (known === undefined) return undefined;
  const isKept =
    tracestate !== undefined &&
    tracestate.length <= maxTracestate &&
    /^[\x20-\x7E]+$/.test(tracestate);
  return isKept ? { traceparent: known, tracestate } : { traceparent: known };
}
