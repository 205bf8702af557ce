import { randomUUID } from "node:crypto";
import { AgentCard, SendMessageRequest, StreamResponse, Task } from "a2a-sdk-1.0";
import type { SendMessageResult } from "a2a-sdk-1.0";
import {
  ClientFactory,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  RestTransportFactory,
} from "a2a-sdk-1.0/client";
import type { Client } from "a2a-sdk-1.0/client";
import { GrpcTransportFactory } from "a2a-sdk-1.0/client/grpc";

/** A client that speaks 1.0 over a binding, as the card of the agent at a URL offers it. */
export function openClient(url: string, binding: string): Promise<Client> {
  const transports = [new JsonRpcTransportFactory(), new RestTransportFactory()];
  const factory = new ClientFactory({ transports, preferredTransports: [binding] });
  return factory.createFromUrl(url);
}

/** A client that takes the agent for one of 0.3 and speaks that. */
export async function openCompatClient(url: string, binding: string): Promise<Client> {
  const legacyCompat = { enabled: true };
  const transports = [
    new JsonRpcTransportFactory({ legacyCompat }),
    new RestTransportFactory({ legacyCompat }),
  ];
  const cardResolver = new DefaultAgentCardResolver({ legacyCompat });
  const factory = new ClientFactory({ transports, preferredTransports: [binding], cardResolver });
  const response = await fetch(new URL(".well-known/agent-card.json", url), {
    headers: { "A2A-Version": "0.3" },
  });
  return factory.createFromAgentCard(await response.json());
}

/** The card of 1.0 at a URL, as it is served. */
export async function fetchCard(url: string): Promise<AgentCard> {
  const response = await fetch(new URL(".well-known/agent-card.json", url), {
    headers: { "A2A-Version": "1.0" },
  });
  return AgentCard.fromJSON(await response.json());
}

/** A client that speaks a version over gRPC, as the card of the agent at a URL offers it. */
export async function openGrpcClient(url: string, version: string): Promise<Client> {
  const transport = new GrpcTransportFactory({ legacyCompat: { enabled: true } });
  const factory = new ClientFactory({ transports: [transport], preferredTransports: ["GRPC"] });
  const card = await fetchCard(url);
  const { supportedInterfaces } = card;
  const offered = supportedInterfaces.filter((one) => one.protocolVersion === version);
  return factory.createFromAgentCard({ ...card, supportedInterfaces: offered });
}

/** A request to send a text; further members of the message and of the request as ProtoJSON. */
export function say(text: string, message: object = {}, request: object = {}): SendMessageRequest {
  const said = { messageId: randomUUID(), role: "ROLE_USER", parts: [{ text }], ...message };
  return SendMessageRequest.fromJSON({ message: said, ...request });
}

interface ArtifactJson {
  readonly artifactId: string;
  readonly parts: readonly { readonly text?: string; readonly data?: unknown }[];
}

/** A task that the SDK has read, as ProtoJSON: the types of the SDK have numbers for states, and wrap unions. */
export interface TaskJson {
  readonly id: string;
  readonly contextId: string;
  readonly status: { readonly state: string };
  readonly artifacts?: readonly ArtifactJson[];
  readonly history?: readonly object[];
}

export interface EventJson {
  readonly task?: TaskJson;
  readonly message?: object;
  readonly statusUpdate?: { readonly status: { readonly state: string } };
  readonly artifactUpdate?: {
    readonly artifact: ArtifactJson;
    readonly append?: boolean;
    readonly lastChunk?: boolean;
  };
}

/** The task among the results of a send. */
export function taskOf(result: SendMessageResult): TaskJson {
  if ("messageId" in result) throw new Error("a message came in place of a task");
  return Task.toJSON(result) as TaskJson;
}

export function eventsOf(events: readonly StreamResponse[]): EventJson[] {
  return events.map((event) => StreamResponse.toJSON(event) as EventJson);
}

export function artifactsIn(events: readonly EventJson[]): readonly ArtifactJson[] {
  return events.flatMap(({ task, artifactUpdate }) => [
    ...(task?.artifacts ?? []),
    ...(artifactUpdate === undefined ? [] : [artifactUpdate.artifact]),
  ]);
}

export function textIn(events: readonly EventJson[]): string {
  const parts = artifactsIn(events).flatMap((artifact) => artifact.parts);
  return parts.map((part) => part.text ?? "").join("");
}
