/** Everyone who can call an agent: each binding in each dialect, as it is on the socket. */
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { isStreaming } from "../../src/protocol/internal.js";
import type { JsonObject, Operation, RequestOf } from "@parley/a2a";
import { binding as binding03 } from "../../src/grpc/v0.3/binding.js";
import { binding as binding10 } from "../../src/grpc/v1.0/binding.js";
import type { RawClient } from "../support/clients/raw-grpc-client.js";
import { isRest, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { open } from "../support/clients/http-client.js";

import { requestFor } from "./request-for.js";
import type { Belongings } from "./request-for.js";

type Headers = Readonly<Record<string, string>>;

/** How a call was answered: by what code, with which challenge, and in so many words. */
export interface Outcome {
  /** An HTTP status, or a status of gRPC. */
  readonly code: number;
  readonly challenge: string | undefined;
  /** All that the caller gets to see; of a stream, the first of it. */
  readonly bytes: string;
}

/** Someone who speaks one dialect in one binding. */
export interface Speaker {
  readonly name: string;
  readonly isGrpc: boolean;
  /** Whether the dialect has the operation in this binding. */
  has(operation: Operation): boolean;
  call<O extends Operation>(
    listener: Listener,
    operation: O,
    request: RequestOf<O>,
    headers: Headers,
  ): Promise<Outcome>;
}

/** Whom to speak to. */
export interface Listener {
  readonly url: string;
  readonly grpc: RawClient;
}

const speeches: readonly Speech[] = [
  "0.1",
  "0.1+0.3",
  "0.3",
  "0.3+type",
  "0.3-schema",
  "0.3-proto",
  "1.0",
  "1.0 REST",
];

function httpSpeaker(speech: Speech): Speaker {
  return {
    name: `HTTP ${speech}`,
    isGrpc: false,
    has: (operation) => canWrite(speech, operation),
    async call({ url }, operation, request, headers) {
      const [route, options] = writeServed(speech, operation, request, headers);
      const incoming = await open(url, route, options);
      const { date: _, ...shown } = incoming.headers;
      return {
        code: incoming.statusCode ?? 0,
        challenge: incoming.headers["www-authenticate"],
        bytes: JSON.stringify(shown) + (await firstText(incoming)),
      };
    },
  };
}

/** The methods that 0.1 and 0.3 share, by which alone a caller cannot be told to be of either. */
const shared: ReadonlySet<Operation> = new Set(["getTask", "cancelTask", "subscribeToTask"]);

/** Also what clients of a version do not know of and servers answer all the same. */
function writeServed<O extends Operation>(
  speech: Speech,
  operation: O,
  request: RequestOf<O>,
  headers: Headers = {},
): ReturnType<typeof write> {
  const [route, options] = write(speech, operation, request, headers);
  const isList = operation === "listTasks" && (speech === "0.3" || speech === "0.3+type");
  if (!isList) return [route, options];
  return [route, { ...options, json: { ...(options.json as JsonObject), method: "tasks/list" } }];
}

const anything: Belongings = { taskId: "t1", contextId: "c1" };

function canWrite(speech: Speech, operation: Operation): boolean {
  if (speech === "0.1+0.3" && !shared.has(operation)) return false;
  try {
    const [, { json }] = writeServed(speech, operation, requestFor(operation, anything));
    return isRest(speech) || (json as JsonObject)["method"] !== undefined;
  } catch {
    return false;
  }
}

async function firstText(incoming: IncomingMessage): Promise<string> {
  if (incoming.headers["content-type"]?.startsWith("text/event-stream") !== true) {
    return text(incoming);
  }
  for await (const chunk of incoming.setEncoding("utf8")) return String(chunk);
  return "";
}

function grpcSpeaker(binding: typeof binding10): Speaker {
  const { version, codec, operations, writeRequest } = binding;
  const methodOf = (operation: Operation): string | undefined =>
    Object.keys(operations).find((name) => operations[name] === operation);
  return {
    name: `gRPC ${version}`,
    isGrpc: true,
    has: (operation) => methodOf(operation) !== undefined,
    async call({ grpc: client }, operation, request, metadata) {
      const method = methodOf(operation) ?? "";
      const json = codec.encodeRequest[operation](request as never) as JsonObject;
      const message = writeRequest(operation, json);
      const { error, ...answer } = isStreaming(operation)
        ? await client.first(version, method, message, { metadata })
        : await client.call(version, method, message, { metadata });
      const { date: _, ...trailers } = error?.metadata.getMap() ?? {};
      const shown = Object.entries(trailers).map(([key, value]) => [key, value.toString("latin1")]);
      const challenges = error?.metadata.get("www-authenticate") ?? [];
      return {
        code: error?.code ?? 0,
        challenge: challenges.length === 0 ? undefined : challenges.join(", "),
        bytes: JSON.stringify([error?.details, shown, answer.message]),
      };
    },
  };
}

export const speakers: readonly Speaker[] = [
  ...speeches.map(httpSpeaker),
  grpcSpeaker(binding03),
  grpcSpeaker(binding10),
];
