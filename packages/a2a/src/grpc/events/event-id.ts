import { eventIdUri } from "../../protocol/internal.js";
import type { JsonObject, StreamResponse } from "../../protocol/internal.js";

/** In the metadata of a call: the event to resume after. In its trailers: the last event that was sent. */
export const lastEventId = "last-event-id";

/** Writes the sequence into an event. A message gets none: after an answer there is nothing to resume. */
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

/** Takes the sequence out of an event, if it has one. */
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
