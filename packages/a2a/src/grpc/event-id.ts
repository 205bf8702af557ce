import { eventIdUri } from "../protocol/internal.js";
import type { JsonObject, StreamResponse } from "../protocol/internal.js";

/** In the metadata of a call: resume after this one. In its trailers: the last one that was sent. */
export const lastEventId = "last-event-id";

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
