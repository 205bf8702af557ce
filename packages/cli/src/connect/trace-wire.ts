import { callOnce, callStream, createService } from "@parley/a2a";
import type { AgentService, CallContext } from "@parley/a2a";
import type { Fetch } from "@parley/a2a/client";
import type { TextSink } from "../command.js";
import { printable } from "../output/text-form.js";
import type { Redactor } from "@parley/inspector/record";

/** A fetch that shows on `sink` what goes over the wire: `>` is sent, `<` is received. */
export function traceFetch(fetch: Fetch, sink: TextSink, redactor: Redactor): Fetch {
  const show = (mark: string, text: string): void => {
    for (const line of printable(redactor.text(text)).split("\n")) sink.write(`${mark} ${line}\n`);
  };
  const showHeaders = (mark: string, headers: Headers): void =>
    headers.forEach((value, name) => show(mark, `${name}: ${redactor.header(name, value)}`));
  return async (url, init) => {
    const startedAt = performance.now();
    show(">", `${init.method ?? "GET"} ${url}`);
    showHeaders(">", new Headers(init.headers));
    if (typeof init.body === "string") show(">", init.body);
    const elapsed = (): string => `${Math.round(performance.now() - startedAt)} ms`;
    const response = await fetch(url, init).catch((error: unknown) => {
      show("<", `no answer after ${elapsed()}: ${String(error)}`);
      throw error;
    });
    show("<", `${response.status} ${response.statusText} after ${elapsed()}`);
    showHeaders("<", response.headers);
    if (response.body === null) return response;
    const decoder = new TextDecoder();
    const frames = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        const text = decoder.decode(chunk, { stream: true }).trimEnd();
        if (text !== "") show("<", text);
        controller.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    const traced = new Response(response.body.pipeThrough(frames), { status, statusText, headers });
    // A response that was made here has no URL and no type of its own.
    return Object.defineProperties(traced, {
      url: { value: response.url },
      type: { value: response.type },
      redirected: { value: response.redirected },
    });
  };
}

/** A service that shows its calls as the JSON of what they carry: frames of gRPC are no text. */
export function traceService(
  service: AgentService,
  sink: TextSink,
  redactor: Redactor,
): AgentService {
  const show = (text: string): void => void sink.write(`${printable(redactor.text(text))}\n`);
  const showCall = (operation: string, request: unknown, call: CallContext): void => {
    show(`> ${operation} ${JSON.stringify(request)}`);
    for (const [name, value] of Object.entries(call.serviceParameters ?? {})) {
      show(`> ${name}: ${redactor.header(name, value)}`);
    }
  };
  return createService(
    async (operation, request, call) => {
      showCall(operation, request, call);
      const result = await callOnce(service, operation, request, call);
      show(`< ${JSON.stringify(result)}`);
      return result;
    },
    async function* stream(operation, request, call) {
      showCall(operation, request, call);
      for await (const event of callStream(service, operation, request, call)) {
        show(`< ${JSON.stringify(event.response)}`);
        yield event;
      }
    },
  );
}
