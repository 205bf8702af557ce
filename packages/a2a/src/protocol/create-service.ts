import type { AgentService, CallableService, StreamEvent } from "./agent-service.js";
import { anonymousCall } from "./call-context.js";
import type { CallContext } from "./call-context.js";
import { isStreaming, operations } from "./operations.js";
import type { RequestOf, ResultOf, StreamingOperation, UnaryOperation } from "./operations.js";

/** Calls any operation that has one answer. */
export type CallOnce = <O extends UnaryOperation>(
  operation: O,
  request: RequestOf<O>,
  call: CallContext,
) => Promise<ResultOf<O>>;

/** Calls any operation that answers with a stream. */
export type CallStream = <O extends StreamingOperation>(
  operation: O,
  request: RequestOf<O>,
  call: CallContext,
) => AsyncIterable<StreamEvent>;

/**
 * Builds the operations of a service on two functions: for transports, and for services in front of a service. The
 * functions get the `fallback` as context when a caller gives none.
 */
export function createService(
  once: CallOnce,
  stream: CallStream,
  fallback: CallContext = anonymousCall,
): CallableService {
  const methods = [...operations, "callMethod" as const].map((operation) => [
    operation,
    isStreaming(operation)
      ? (request: never, call = fallback) => stream(operation, request, call)
      : (request: never, call = fallback) => once(operation as UnaryOperation, request, call),
  ]);
  return Object.fromEntries(methods) as CallableService;
}

/** Calls a service by the name of the operation. */
export function callOnce<O extends UnaryOperation>(
  service: AgentService,
  operation: O,
  request: RequestOf<O>,
  call: CallContext,
): Promise<ResultOf<O>> {
  return service[operation](request as never, call) as Promise<ResultOf<O>>;
}

/** Opens a stream of a service by the name of the operation. */
export function callStream<O extends StreamingOperation>(
  service: AgentService,
  operation: O,
  request: RequestOf<O>,
  call: CallContext,
): AsyncIterable<StreamEvent> {
  return service[operation](request as never, call);
}
