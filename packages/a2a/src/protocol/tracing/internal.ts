/** Traces: the names of spans, the spans of calls, and services that make them. The client loads this only if it traces. */
export { CallSpans, under } from "./call-spans.js";
export type { TracedOptions } from "./call-spans.js";
export { errorTypeOf } from "./error-type.js";
export { attribute, spanEvent, spanName } from "./names.js";
export { ObservedIterator } from "./observed-iterator.js";
export { StreamObserver } from "./stream-observer.js";
export { readTrace } from "./trace-context.js";
export { traced, withTrace } from "./traced.js";
