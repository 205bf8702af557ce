import { A2AError } from "../a2a-error.js";
import type { AgentService, CallableService, StreamEvent } from "../agent-service.js";
import type { CallContext, TraceContext } from "../call-context.js";
import { callOnce, callStream, createService } from "../create-service.js";
import type { Metrics } from "./metrics.js";
import type { Operation } from "../operations.js";
import { attribute } from "../tracing/names.js";
import { ObservedIterator } from "../tracing/observed-iterator.js";
import type { IteratorObserver } from "../tracing/observed-iterator.js";
import { instruments, otherValue } from "./instruments.js";

/** Which of the two ends measures: each has series of its own. */
type Side = "server" | "client";

export interface MeasuredOptions {
  readonly metrics: Metrics;
  /** Which end of the calls this is; that of the server when absent. */
  readonly side?: Side;
  /** Over which binding the calls go, where they do not say it. */
  readonly binding?: string;
  /** Milliseconds of a clock that never goes back. Default: the platform's. */
  readonly now?: () => number;
}

/** What is counted of the calls of one method over one binding. */
interface MethodSeries {
  readonly duration: (seconds: number, trace?: TraceContext) => void;
  readonly firstEvent: ((seconds: number, trace?: TraceContext) => void) | undefined;
  openStreams: number;
  /** The counters of answers, by version and by error. */
  readonly answers: Map<string, (increment: number) => void>;
}

const known: ReadonlySet<string> = new Set(["JSONRPC", "HTTP+JSON", "GRPC"]);

/** Errors that were counted already, so that a binding does not count them as refusals. */
const counted = new WeakSet<object>();

/** Whether an error, or the one behind it, comes from a service whose calls are measured. */
export function isCounted(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  if (counted.has(error)) return true;
  const { cause } = error as { readonly cause?: unknown };
  return typeof cause === "object" && cause !== null && counted.has(cause);
}

/**
 * A service in front of a service: counts calls and times them, streams until their end. An event of a stream costs one
 * comparison.
 */
export function measured(service: AgentService, options: MeasuredOptions): CallableService {
  const { metrics, side = "server", now = () => performance.now() } = options;
  // The card of another agent may name any binding.
  const usual = known.has(options.binding ?? "") ? options.binding : undefined;
  const bindingOf = (call: CallContext): string => call.binding ?? usual ?? otherValue;
  const all = new Map<string, MethodSeries>();
  const seriesOf = (operation: Operation, call: CallContext): MethodSeries => {
    const binding = bindingOf(call);
    const key = `${operation} ${binding}`;
    let series = all.get(key);
    if (series === undefined)
      all.set(key, (series = openSeries(metrics, side, operation, binding)));
    return series;
  };
  const end = (
    operation: Operation,
    call: CallContext,
    startedAt: number,
    error?: unknown,
  ): void => {
    const series = seriesOf(operation, call);
    series.duration((now() - startedAt) / 1000, call.trace);
    const code = error === undefined ? "" : A2AError.from(error).code;
    const key = `${call.version} ${code}`;
    let answers = series.answers.get(key);
    if (answers === undefined) {
      const { version } = call;
      const labels = { operation, version, binding: bindingOf(call), code };
      answers = countAnswers(metrics, side, labels);
      series.answers.set(key, answers);
    }
    answers(1);
    if (typeof error === "object" && error !== null) counted.add(error);
  };
  return createService(
    (operation, request, call) => {
      const startedAt = now();
      return callOnce(service, operation, request, call).then(
        (result) => {
          end(operation, call, startedAt);
          return result;
        },
        (error: unknown) => {
          end(operation, call, startedAt, error);
          throw error;
        },
      );
    },
    (operation, request, call) => {
      const events = callStream(service, operation, request, call);
      const series = seriesOf(operation, call);
      const ended = (startedAt: number, error?: unknown): void =>
        end(operation, call, startedAt, error);
      return {
        [Symbol.asyncIterator]: () =>
          new ObservedIterator(events, new StreamTimer({ series, now, call, end: ended })),
      };
    },
  );
}

function openSeries(
  metrics: Metrics,
  side: Side,
  operation: Operation,
  binding: string,
): MethodSeries {
  const labels = {
    [attribute.method]: methodName(operation),
    [attribute.binding]: binding,
  };
  const isStream = operation === "sendStreamingMessage" || operation === "subscribeToTask";
  const isServed = side === "server" && isStream;
  const { serverDuration, clientDuration, firstEvent, serverStreams } = instruments;
  const series: MethodSeries = {
    duration: metrics.histogram(side === "server" ? serverDuration : clientDuration, labels),
    firstEvent: isServed ? metrics.histogram(firstEvent, labels) : undefined,
    openStreams: 0,
    answers: new Map(),
  };
  if (isServed) metrics.gauge(serverStreams, labels, () => series.openStreams);
  return series;
}

function countAnswers(
  metrics: Metrics,
  side: Side,
  labels: Readonly<Record<"version" | "binding" | "code", string>> & {
    readonly operation: Operation;
  },
): (increment: number) => void {
  const { serverRequests, clientRequests } = instruments;
  return metrics.counter(side === "server" ? serverRequests : clientRequests, {
    [attribute.method]: methodName(labels.operation),
    [attribute.version]: labels.version,
    [attribute.binding]: labels.binding,
    [attribute.errorType]: labels.code,
  });
}

/** Counts a request that was refused before it reached a service: of an unknown method, or with a broken body. */
export function countRefusal(metrics: Metrics, binding: string, code: string): void {
  // Rare enough that the series may be looked up each time.
  metrics.counter(instruments.serverRequests, {
    [attribute.method]: otherValue,
    [attribute.version]: otherValue,
    [attribute.binding]: binding,
    [attribute.errorType]: code,
  })(1);
}

/** `sendMessage` as version 1.0 spells it. Methods of extensions have no series of their own. */
function methodName(operation: Operation): string {
  return operation === "callMethod"
    ? otherValue
    : operation.charAt(0).toUpperCase() + operation.slice(1);
}

/** What is told of a stream. */
interface StreamParts {
  readonly series: MethodSeries;
  readonly now: () => number;
  readonly call: CallContext;
  readonly end: (startedAt: number, error?: unknown) => void;
}

/** Times a stream. An event costs one comparison. */
class StreamTimer implements IteratorObserver<StreamEvent> {
  readonly #parts: StreamParts;
  readonly #startedAt: number;
  #isFirst = true;

  constructor(parts: StreamParts) {
    this.#parts = parts;
    this.#startedAt = parts.now();
    parts.series.openStreams += 1;
  }

  begin<R>(read: () => R): R {
    return read();
  }

  value(): void {
    if (!this.#isFirst) return;
    this.#isFirst = false;
    const { series, now, call } = this.#parts;
    series.firstEvent?.((now() - this.#startedAt) / 1000, call.trace);
  }

  over(error?: unknown): void {
    this.#parts.series.openStreams -= 1;
    this.#parts.end(this.#startedAt, error);
  }
}
