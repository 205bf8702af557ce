import { randomUUID } from "node:crypto";
import { A2AClient } from "a2a-sdk-0.2/client";
import { ClientFactory, ClientFactoryOptions } from "a2a-sdk-0.3/client";
import type { Client } from "a2a-sdk-0.3/client";
import { GrpcTransport } from "a2a-sdk-0.3/client/grpc";
import type { Artifact, Message, MessageSendParams, Task } from "a2a-sdk-0.3";
import type { Server } from "@parley/a2a/node";
import { addressOf } from "../servers/open-served.js";

export type StreamEvent =
  ReturnType<Client["sendMessageStream"]> extends AsyncIterable<infer Event> ? Event : never;

type Calls = Pick<GrpcTransport, "sendMessage" | "getTask" | "cancelTask">;
type Streams = Pick<GrpcTransport, "sendMessageStream" | "resubscribeTask">;

/** What the clients of 0.2 and 0.3 have in common, in the words of 0.3. */
export type EarlierClient = Calls & Streams;

/** An error that the client of 0.2 answers in place of a result. */
export class AnsweredError extends Error {
  constructor(code: number) {
    super(`the answer is the error ${code}`);
  }
}

/** The client of 0.2, which answers responses where that of 0.3 answers results, and throws errors. */
export function openClient02(url: string): EarlierClient {
  const client = new A2AClient(url);
  return {
    sendMessage: (params) => resultOf(client.sendMessage(params as never)),
    sendMessageStream: (params) => client.sendMessageStream(params as never) as never,
    getTask: (params) => resultOf(client.getTask(params)),
    cancelTask: (params) => resultOf(client.cancelTask(params)),
    resubscribeTask: (params) => client.resubscribeTask(params) as never,
  };
}

async function resultOf<T>(
  answer: Promise<{ readonly result: unknown } | { readonly error: { readonly code: number } }>,
): Promise<T> {
  const response = await answer;
  if ("error" in response) throw new AnsweredError(response.error.code);
  return response.result as T;
}

/** The client of 0.3 over HTTP, which finds its transport in the card. */
export function openClient03(url: string, binding: string): Promise<Client> {
  const options = { ...ClientFactoryOptions.default, preferredTransports: [binding] };
  return new ClientFactory(options).createFromUrl(url);
}

/** The gRPC transport of 0.3, which knows an address and no card. */
export function openGrpcTransport03(serving: Server): GrpcTransport {
  return new GrpcTransport({ endpoint: addressOf(serving) });
}

/** Parameters of a send. 0.2 and gRPC require a configuration to say which modes are accepted. */
export function say(
  text: string,
  of: Partial<Message> = {},
  configuration?: Partial<NonNullable<MessageSendParams["configuration"]>>,
): MessageSendParams {
  const parts = [{ kind: "text" as const, text }];
  return {
    message: { kind: "message", messageId: randomUUID(), role: "user", parts, ...of },
    ...(configuration && { configuration: { acceptedOutputModes: [], ...configuration } }),
  };
}

/** Sends a text, and gives the task that came of it. */
export async function sendForTask(
  client: EarlierClient,
  text: string,
  of: Partial<Message> = {},
): Promise<Task> {
  const result = await client.sendMessage(say(text, of));
  if (result.kind !== "task") throw new Error("a message came in place of a task");
  return result;
}

export function artifactsIn(events: readonly StreamEvent[]): Artifact[] {
  return events.flatMap((event) => {
    if (event.kind === "task") return event.artifacts ?? [];
    return event.kind === "artifact-update" ? [event.artifact] : [];
  });
}

export function textIn(events: readonly StreamEvent[]): string {
  const parts = artifactsIn(events).flatMap((artifact) => artifact.parts);
  return parts.map((part) => (part.kind === "text" ? part.text : "")).join("");
}
