import { traceOf } from "../binding/internal.js";
import { attribute, ObservedIterator, under } from "../protocol/tracing/internal.js";
import type { Attributes, Span, TraceContext, Tracer } from "../protocol/internal.js";
import type { HttpHandler, HttpRequest, HttpResponse } from "./http-message.js";
import type { HttpOptions } from "./http-options.js";

/** What callers may name; anything else is shown as one. */
const methods: ReadonlySet<string> = new Set([
  "DELETE",
  "GET",
  "HEAD",
  "OPTIONS",
  "PATCH",
  "POST",
  "PUT",
]);

/**
 * A handler in front of a handler: each request is a span, unless something else that instruments this process has made
 * one for it already. Health checks make none.
 */
export function traceRequests(
  handle: HttpHandler,
  { telemetry, trustTraceparent }: Pick<HttpOptions, "telemetry" | "trustTraceparent">,
): HttpHandler {
  const tracer = telemetry?.tracer;
  if (tracer === undefined) return handle;
  // What runs around this call runs around every request: no span was made for the request then.
  const ambient = tracer.active()?.traceparent;
  return (request) => {
    const path = pathOf(request.target);
    if (isProbe(path)) return handle(request);
    const { around = tracer.active() } = request;
    if (around && around.traceparent !== ambient) {
      request.trace = around;
      return handle(request);
    }
    const span = startSpan(tracer, request, path, traceOf(request, trustTraceparent));
    const { context, isRecording } = span;
    if (context !== undefined) request.trace = context;
    return isRecording
      ? handle(request).then((response) => ended(span, response))
      : handle(request);
  };
}

function startSpan(
  tracer: Tracer,
  { method }: HttpRequest,
  path: string,
  trace: TraceContext | undefined,
): Span {
  const isKnown = methods.has(method);
  const attributes: Attributes = {
    [attribute.httpMethod]: isKnown ? method : "_OTHER",
    [attribute.urlPath]: path,
  };
  return tracer.startSpan(
    isKnown ? method : "HTTP",
    trace === undefined
      ? { kind: "server", attributes, isRoot: true }
      : { kind: "server", attributes, ...under(trace) },
  );
}

/** Ends the span with the answer, or with the stream that is the answer. */
function ended(span: Span, response: HttpResponse): HttpResponse {
  const { status } = response;
  span.set({
    [attribute.httpStatus]: status,
    ...(status >= 500 && { [attribute.errorType]: String(status) }),
  });
  if (!("stream" in response)) {
    span.end();
    return response;
  }
  const stream = new ObservedIterator(response.stream, {
    begin: (read) => read(),
    value: () => undefined,
    over(error) {
      if (error !== undefined) span.fail(error);
      span.end();
    },
  });
  return { ...response, stream };
}

function isProbe(path: string): boolean {
  return path.endsWith("/healthz") || path.endsWith("/readyz");
}

/** Without the query, which may hold a key. */
function pathOf(target: string): string {
  const end = target.indexOf("?");
  return end === -1 ? target : target.slice(0, end);
}
