import type { Fetch } from "@parley/a2a/client";
import type { Binding, Frame } from "../../contract/index.js";
import { FrameReader } from "../../record/index.js";
import type { Redactor, SseFrame } from "../../record/index.js";
import type { ProtocolVersion } from "@parley/a2a";
import { currentCall } from "./current-call.js";
import type { HopRecord } from "./hop-record.js";
import type { HopRing } from "./hop-ring.js";
import type { StreamGate } from "./stream-gate.js";

/** What a recording fetch belongs to. */
export interface Recording {
  readonly connection: string;
  readonly ring: HopRing;
  readonly gate: StreamGate;
  /** Asked when somebody looks: what is secret may be known only once there is a card. */
  readonly redactor: () => Redactor;
  /** The interface that is called, once it is chosen. */
  readonly chosen: () =>
    | { readonly version: ProtocolVersion; readonly binding: Binding; readonly dialect: string }
    | undefined;
}

/** The most that is kept of a body that is not an event stream. */
const maxBody = 4 * 1024 * 1024;

/** A fetch that records each exchange as it is on the wire. Asks for answers that are not compressed. */
export function recordFetch(fetch: Fetch, recording: Recording): Fetch {
  const { ring, connection } = recording;
  return async (url, init) => {
    const call = currentCall();
    const headers = new Headers(init.headers);
    headers.set("Accept-Encoding", "identity");
    const record = ring.begin(
      {
        direction: "sent",
        connection,
        method: init.method ?? "GET",
        url,
        requestHeaders: [...headers],
        ...(call?.operation !== undefined && { operation: call.operation, ...recording.chosen() }),
        ...(call?.resentFrom !== undefined && { resentFrom: call.resentFrom }),
        ...(typeof init.body === "string" && { requestBody: init.body }),
      },
      recording.redactor,
    );
    call?.hops.push(record.id);
    let response: Response;
    try {
      response = await fetch(url, { ...init, headers });
    } catch (error) {
      record.end({ error: reasonOf(error) });
      throw error;
    }
    record.answer(response.status, [...response.headers]);
    return observed(response, record, recording.gate);
  };
}

/** The response, with a body that is recorded while it is read, and that the gate may break. */
function observed(response: Response, record: HopRecord, gate: StreamGate): Response {
  if (response.body === null) {
    record.end();
    return response;
  }
  const isStream = /^text\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  const body = isStream ? gatedBody(response.body, record, gate) : keptBody(response.body, record);
  const { status, statusText, headers } = response;
  const passed = new Response(body, { status, statusText, headers });
  // A response that was made here has no URL and no type of its own.
  return Object.defineProperties(passed, {
    url: { value: response.url },
    type: { value: response.type },
    redirected: { value: response.redirected },
  });
}

/** A body that is kept whole, up to a limit. */
function keptBody(
  source: ReadableStream<Uint8Array>,
  record: HopRecord,
): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const reader = source.getReader();
  let text = "";
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (done) {
          record.end({ body: text + decoder.decode() });
          controller.close();
          return;
        }
        if (text.length < maxBody) text += decoder.decode(value, { stream: true });
        controller.enqueue(value);
      } catch (error) {
        record.end({ body: text, error: reasonOf(error) });
        controller.error(error);
      }
    },
    async cancel(reason) {
      record.end({ body: text });
      await reader.cancel(reason);
    },
  });
}

/** An event stream, whose frames are recorded as they pass. */
function gatedBody(
  source: ReadableStream<Uint8Array>,
  record: HopRecord,
  gate: StreamGate,
): ReadableStream<Uint8Array> {
  const frames = new FrameReader();
  const reader = source.getReader();
  let target: ReadableStreamDefaultController<Uint8Array> | undefined;
  let isLast = false;
  const stream = {
    cut(): void {
      finish("the inspector cut the connection");
      target?.error(new TypeError("the connection was cut"));
      target = undefined;
      void reader.cancel().catch(() => undefined);
    },
  };
  function finish(error?: string): void {
    gate.remove(stream);
    record.end(error === undefined ? {} : { error });
  }
  gate.add(stream);
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        target = controller;
      },
      async pull(controller) {
        try {
          // The reader has what it was given before it hears of the end.
          if (isLast) return stream.cut();
          const { done, value } = await reader.read();
          // A fault that was set while nothing came holds back what comes next.
          if (!done) await gate.pass();
          if (target === undefined) return;
          if (done) {
            finish();
            controller.close();
            return;
          }
          const found = frames.read(value);
          const last = found.findIndex(({ kind }) => kind === "event" && gate.isLastEvent());
          const kept = last === -1 ? found : found.slice(0, last + 1);
          record.frames(kept.map(frameOf));
          const end = last === -1 ? value.length : (found[last]?.end ?? value.length);
          controller.enqueue(value.subarray(0, end));
          isLast = last !== -1;
        } catch (error) {
          if (target === undefined) return;
          finish(reasonOf(error));
          controller.error(error);
        }
      },
      async cancel(reason) {
        target = undefined;
        finish();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function frameOf(given: SseFrame): Frame {
  const { end: _, ...frame } = given;
  return { at: Date.now(), ...frame };
}

/** Why something failed: the deepest cause, because node's fetch says only that it failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const beneath: unknown = error.cause ?? (error as Partial<AggregateError>).errors?.[0];
  return beneath instanceof Error ? reasonOf(beneath) : error.message;
}
