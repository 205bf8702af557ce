import type { IncomingMessage } from "node:http";
import type { Agent, Outcome, Output, RunContext } from "@parley/a2a";
import { BackendFailure, createBackendAgent } from "../backend-agent.js";
import type { BackendCard } from "../backend-agent.js";
import { chunksOf, isOk, mediaTypeOf, post } from "../post.js";
import { readEvents } from "../read-events.js";
import { decodeText, readWhole } from "../text-streams.js";
import { chatMessages } from "./chat-messages.js";
import { Completion } from "./completion.js";
import { refusalOf } from "./refusal.js";

/** A model behind an endpoint that speaks OpenAI's chat completions. */
export interface OpenAiOptions extends BackendCard {
  /** The URL before `/chat/completions`, such as `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  /** Sent as a bearer token. Local servers need none. */
  readonly apiKey?: string;
  /** What the model is told before every conversation. */
  readonly system?: string;
}

/**
 * An agent that answers with what a model writes, as it writes it. The model gets the earlier tasks of the context as the conversation
 * so far. A canceled task ends the call.
 */
export function createOpenAiAgent(options: OpenAiOptions): Agent {
  const { baseUrl, model } = options;
  const url = new URL(`${baseUrl.replace(/\/+$/, "")}/chat/completions`);
  const { name = model, description = `Answers with what the model ${model} writes` } = options;
  return createBackendAgent({ name, description }, options, (context) =>
    answer(context, url, options),
  );
}

async function* answer(
  context: RunContext,
  url: URL,
  { model, apiKey, system }: OpenAiOptions,
): AsyncGenerator<Output, Outcome, void> {
  const messages = await chatMessages(context, system);
  const response = await post(url, {
    headers: {
      "Content-Type": "application/json",
      Accept: "text/event-stream, application/json",
      ...(apiKey !== undefined && { Authorization: `Bearer ${apiKey}` }),
    },
    body: JSON.stringify({ model, messages, stream: true }),
    signal: context.signal,
  });
  if (!isOk(response)) throw await refusalOf(response);
  const completion = new Completion();
  for await (const json of documentsOf(response)) {
    const text = completion.add(json);
    if (text !== "") yield text;
  }
  const problem = completion.finish();
  if (problem !== undefined) context.report(new Error(problem));
}

const source = "the model's endpoint";

/** The JSON documents of an answer: the events of a stream up to `[DONE]`, or all of it from a server that does not stream. */
async function* documentsOf(response: IncomingMessage): AsyncGenerator<string> {
  const type = mediaTypeOf(response);
  const texts = decodeText(chunksOf(response));
  if (type === "text/event-stream") {
    for await (const data of readEvents(texts, source)) {
      yield data;
      if (data === Completion.done) return;
    }
  } else if (type === "application/json") {
    yield await readWhole(texts, source);
    yield Completion.done;
  } else {
    throw new BackendFailure(
      `${source} answered with ${type || "no media type"}, not with an event stream or JSON`,
      { code: "INVALID_ANSWER" },
    );
  }
}
