import { A2AError } from "@parley/a2a";
import type { Problem } from "../../contract/index.js";
import { Refusal } from "./refusal.js";
import { apiHeaders } from "./security-headers.js";

/** An answer in JSON. */
export function jsonAnswer(value: unknown, status = 200): Response {
  const headers = { ...apiHeaders, "Content-Type": "application/json" };
  return new Response(JSON.stringify(value), { status, headers });
}

/** The answer to a request that failed, whatever was thrown. */
export function failedAnswer(error: unknown): Response {
  const status = error instanceof Refusal ? error.status : A2AError.is(error) ? 502 : 500;
  return jsonAnswer({ error: problemOf(error) }, status);
}

/** What the page is told of an error. What is not meant for people stays here. */
export function problemOf(error: unknown): Problem {
  if (error instanceof Refusal) {
    const { code, message, details, hint } = error;
    return { code, message, ...(details && { details }), ...(hint !== undefined && { hint }) };
  }
  if (!A2AError.is(error)) {
    return {
      code: "INTERNAL",
      message: "the inspector failed at this; its terminal may say more",
      hint: "Try again. If it happens every time, report it with the steps that lead here.",
    };
  }
  const { code, message, details } = error;
  const hint = hints[code];
  return {
    code,
    message,
    ...(Object.keys(details).length > 0 && { details }),
    ...(hint !== undefined && { hint }),
  };
}

const hints: Partial<Record<Problem["code"], string>> = {
  UNAVAILABLE: "Check that the agent runs, and that this machine reaches its URL.",
  UNAUTHENTICATED: "Give a secret for one of the card's security schemes, then connect again.",
  PERMISSION_DENIED: "The caller is known and may not do this; use another secret.",
  VERSION_NOT_SUPPORTED: "Let the client choose the version and the binding, or choose others.",
  TASK_NOT_FOUND: "The task may have been removed, or may belong to another caller.",
  TASK_NOT_CANCELABLE: "The task has ended already.",
  INVALID_PARAMS: "Correct the field that is named, and send again.",
  CONTENT_TYPE_NOT_SUPPORTED: "Send one of the media types that the card lists.",
  RESOURCE_EXHAUSTED: "Wait a moment, and try again.",
};

/** An answer that is an event stream: one line of JSON for each value, with a comment while there is none. */
export function eventAnswer(
  values: AsyncIterable<unknown>,
  { heartbeatMs = 15_000, numberOf }: EventAnswerOptions = {},
): Response {
  const iterator = values[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let timer: ReturnType<typeof setInterval> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(": open\n\n"));
      timer = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(": alive\n\n"));
      }, heartbeatMs);
      timer.unref();
    },
    async pull(controller) {
      const { done, value } = await iterator.next();
      if (done === true) {
        clearInterval(timer);
        controller.close();
        return;
      }
      const number = numberOf?.(value);
      const id = number === undefined ? "" : `id: ${number}\n`;
      controller.enqueue(encoder.encode(`${id}data: ${JSON.stringify(value)}\n\n`));
    },
    async cancel() {
      clearInterval(timer);
      await iterator.return?.();
    },
  });
  const headers = { ...apiHeaders, "Content-Type": "text/event-stream", "X-Accel-Buffering": "no" };
  return new Response(body, { headers });
}

interface EventAnswerOptions {
  readonly heartbeatMs?: number;
  /** The `id` of an event. */
  readonly numberOf?: (value: unknown) => number | undefined;
}
