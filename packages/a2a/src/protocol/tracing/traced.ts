import type { AgentService, CallableService } from "../agent-service.js";
import type { CallContext } from "../call-context.js";
import { callOnce, callStream, createService } from "../create-service.js";
import type { Span } from "./tracer.js";
import { CallSpans, describeAnswer } from "./call-spans.js";
import type { TracedOptions } from "./call-spans.js";
import { ObservedIterator } from "./observed-iterator.js";
import { StreamObserver } from "./stream-observer.js";

/**
 * A service in front of a service: each call is a span, which lasts as long as its answer or stream. What the service
 * does for the call is part of that span, in other processes too.
 *
 * @example
 * const service = traced(guard(runtime.service, rules), { tracer, kind: "server", card: runtime.card([]) });
 */
export function traced(service: AgentService, options: TracedOptions): CallableService {
  const spans = new CallSpans(options);
  return createService(
    async (operation, request, call) => {
      const span = spans.start(operation, request, call);
      try {
        const result = await span.within(() =>
          callOnce(service, operation, request, withTrace(call, span)),
        );
        if (span.isRecording) span.set(describeAnswer(result) ?? {});
        return result;
      } catch (error) {
        span.fail(error);
        throw error;
      } finally {
        span.end();
      }
    },
    (operation, request, call) => {
      const span = spans.start(operation, request, call);
      const events = callStream(service, operation, request, withTrace(call, span));
      return new ObservedIterator(events, new StreamObserver(span));
    },
  );
}

/** A call that is part of a span. */
export function withTrace(call: CallContext, { context }: Span): CallContext {
  return context === undefined ? call : { ...call, trace: context };
}
