import type { AgentCard, AgentExtension, JsonObject, StreamResponse } from "../protocol/index.js";

/**
 * The extension by which a stream over gRPC can be resumed: each event carries its sequence in its
 * metadata, under this URI. A caller that lost its stream subscribes with the metadata `last-event-id`
 * and gets what came after. Whoever does not ask for the extension finds the last sequence in the
 * trailers of a stream, under the same name.
 */
export const eventIdUri = "urn:parley:a2a:event-id:v1";

export const lastEventId = "last-event-id";

export const eventIdExtension: AgentExtension = {
  uri: eventIdUri,
  description:
    "Over gRPC, events carry their sequence in their metadata; last-event-id resumes after it",
};

/** The card of an agent that is served over gRPC. */
export function withEventIds(card: AgentCard): AgentCard {
  const { extensions = [] } = card.capabilities;
  if (extensions.some(({ uri }) => uri === eventIdUri)) return card;
  const capabilities = { ...card.capabilities, extensions: [...extensions, eventIdExtension] };
  return { ...card, capabilities };
}

/** The event with its sequence. A message is an answer of its own: there is nothing to resume. */
export function addEventId(response: StreamResponse, sequence: number): StreamResponse {
  const add = <T extends { readonly metadata?: JsonObject }>(owner: T): T => ({
    ...owner,
    metadata: { ...owner.metadata, [eventIdUri]: sequence },
  });
  if (response.task) return { task: add(response.task) };
  if (response.statusUpdate) return { statusUpdate: add(response.statusUpdate) };
  if (response.artifactUpdate) return { artifactUpdate: add(response.artifactUpdate) };
  return response;
}

/** The reverse: the event as it was, and its sequence if it has one. */
export function takeEventId(response: StreamResponse): {
  readonly response: StreamResponse;
  readonly sequence?: number;
} {
  const owner = response.task ?? response.statusUpdate ?? response.artifactUpdate;
  const sequence = owner?.metadata?.[eventIdUri];
  if (typeof sequence !== "number") return { response };
  if (response.task) return { response: { task: drop(response.task) }, sequence };
  if (response.statusUpdate) {
    return { response: { statusUpdate: drop(response.statusUpdate) }, sequence };
  }
  if (response.artifactUpdate) {
    return { response: { artifactUpdate: drop(response.artifactUpdate) }, sequence };
  }
  return { response };
}

function drop<T extends { readonly metadata?: JsonObject }>(owner: T): T {
  const { metadata = {}, ...rest } = owner;
  const { [eventIdUri]: _, ...others } = metadata;
  return (Object.keys(others).length > 0 ? { ...rest, metadata: others } : rest) as T;
}
