import type { Batches } from "../async/internal.js";
import { isStreaming, operations } from "../protocol/internal.js";
import {
  CallSpans,
  spanEvent,
  StreamObserver,
  traced,
  withTrace,
  attribute,
} from "../protocol/tracing/internal.js";
import type { AgentService, StreamResponse } from "../protocol/internal.js";
import type { TracedOptions } from "../protocol/tracing/internal.js";
import { follow } from "./follow/follow.js";
import type { Follow } from "./follow/follow.js";

/** A client whose calls are traced. */
export interface TracedCalls {
  /** Each call is a span. */
  readonly service: AgentService;
  /** Each stream is a span, over however many connections it goes. */
  readonly follow: Follow;
}

/** Traces the calls of a client. Polls of a task, and looks at it, are spans of their own within that of a stream. */
export function traceCalls(
  service: AgentService,
  options: Omit<TracedOptions, "kind">,
): TracedCalls {
  const tracing = { ...options, kind: "client" } as const;
  const spans = new CallSpans(tracing);
  const inSpans = traced(service, tracing);
  /** The connections of a stream are no calls of their own. */
  const withoutStreams: AgentService = { ...inSpans };
  for (const operation of operations.filter(isStreaming)) {
    withoutStreams[operation] = (request: never, call) => service[operation](request, call);
  }
  return {
    service: inSpans,
    async *follow(start, given): Batches<StreamResponse> {
      // An agent that does not stream is sent one call, and polled.
      if (given.card.capabilities.streaming !== true) {
        return yield* follow(start, { ...given, service: inSpans });
      }
      const [operation, request] =
        typeof start === "string"
          ? (["subscribeToTask", { id: start }] as const)
          : (["sendStreamingMessage", start] as const);
      const span = spans.start(operation, request, given.call);
      const observer = new StreamObserver(span);
      let failure: unknown;
      try {
        const events = follow(start, {
          ...given,
          service: withoutStreams,
          call: withTrace(given.call, span),
          onReconnect(reconnection) {
            span.event(spanEvent.reconnect, { [attribute.reconnectBy]: reconnection.by });
            given.onReconnect?.(reconnection);
          },
        });
        for await (const batch of events) {
          for (const response of batch) observer.see(response);
          yield batch;
        }
      } catch (error) {
        failure = error;
        throw error;
      } finally {
        observer.over(failure);
      }
    },
  };
}
