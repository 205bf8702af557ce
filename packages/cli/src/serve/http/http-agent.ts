import type { IncomingMessage } from "node:http";
import type { Agent, Outcome, Output, RunContext } from "@parley/a2a";
import { BackendFailure, createBackendAgent } from "../backend-agent.js";
import type { BackendCard } from "../backend-agent.js";
import { beginningOf, chunksOf, isOk, mediaTypeOf, post } from "../post.js";
import { readEvents } from "../read-events.js";
import { parseSaid, readSaid, readSaidLine } from "../said.js";
import type { End, Said } from "../said.js";
import { decodeText, readWhole, splitLines } from "../text-streams.js";

/** A service that answers messages over HTTP. */
export interface HttpOptions extends BackendCard {
  readonly url: string;
  /** Sent with every request, such as `Authorization`. */
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * An agent that posts each message to a URL as JSON. The answer may be text, lines of JSON, an event stream or one JSON document; see
 * `readSaid` for what JSON means. A canceled task ends the request.
 */
export function createHttpAgent(options: HttpOptions): Agent {
  const url = new URL(options.url);
  const { name = url.host, description = `Answers with what ${url.host} answers` } = options;
  const inputModes = ["text/plain", "*/*"];
  const outputModes = ["text/plain", "*/*"];
  return createBackendAgent({ name, description, inputModes, outputModes }, options, (context) =>
    answer(context, url, options.headers),
  );
}

async function* answer(
  context: RunContext,
  url: URL,
  headers: HttpOptions["headers"],
): AsyncGenerator<Output, Outcome, void> {
  const { text, taskId, contextId, message, history, caller, tenant, signal } = context;
  const response = await post(url, {
    headers: {
      Accept: "text/event-stream, application/x-ndjson, application/json, text/*",
      "Content-Type": "application/json",
      // The same when the request is repeated because its server died.
      "Idempotency-Key": `${taskId}:${message.messageId}`.replaceAll(/[^!-~]/g, "_"),
      ...headers,
    },
    body: JSON.stringify({
      text,
      taskId,
      contextId,
      message,
      history,
      caller: caller?.subject,
      tenant,
    }),
    signal,
  });
  if (!isOk(response)) throw await refusalOf(response);
  let end: End | undefined;
  for await (const said of saidIn(response)) {
    if ("end" in said) end = said.end;
    else yield said.output;
  }
  return end?.conclude(context);
}

const source = "the service behind this agent";

/** What an answer says, by its media type. */
async function* saidIn(response: IncomingMessage): AsyncGenerator<Said> {
  const type = mediaTypeOf(response);
  const texts = decodeText(chunksOf(response));
  if (type === "text/event-stream") {
    for await (const data of readEvents(texts, source)) {
      if (data === "[DONE]") return;
      yield readEvent(data);
    }
  } else if (/^application\/(?:x-)?(?:ndjson|jsonl|json-lines)$/.test(type)) {
    for await (const line of splitLines(texts, source)) yield readSaidLine(line, source);
  } else if (type === "application/json") {
    yield* await readDocument(texts);
  } else if (type.startsWith("text/")) {
    for await (const output of texts) yield { output };
  } else if (response.statusCode !== 204) {
    throw new BackendFailure(
      `${source} answered with ${type || "no media type"}; expected text, JSON, JSON lines or an event stream`,
      { code: "INVALID_ANSWER" },
    );
  }
}

/** An event is what its JSON says; one that is no JSON is text. */
function readEvent(data: string): Said {
  return /^[{"]/.test(data) ? readSaidLine(data, source) : { output: data };
}

/** One JSON document: one thing said, or a list of them. */
async function readDocument(texts: AsyncIterable<string>): Promise<readonly Said[]> {
  const json = await readWhole(texts, source);
  if (json.trim() === "") return [];
  const value = parseSaid(json, source);
  return Array.isArray(value) ? value.map(readSaid) : [readSaid(value)];
}

const maxReasonBytes = 2048;

async function refusalOf(response: IncomingMessage): Promise<BackendFailure> {
  const { statusCode: status = 0 } = response;
  const body = await beginningOf(response, maxReasonBytes).catch(() => "");
  return new BackendFailure(`${source} answered with ${status}`, {
    code: "BACKEND_FAILED",
    details: { status },
    cause: new Error(`the service answered with ${status}: ${body}`),
  });
}
