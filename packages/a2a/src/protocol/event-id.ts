import type { AgentExtension } from "./agent-card.js";

/**
 * The extension by which a stream that broke off goes on after the last event its caller has seen, without
 * a gap and without one twice. An event's id is its sequence in the log of its task. Over HTTP it is the `id`
 * of its frame, and `Last-Event-ID` resumes after it; over gRPC it is in the event's metadata under this
 * URI, for callers that ask for the extension, and the metadata `last-event-id` resumes.
 */
export const eventIdUri = "urn:parley:a2a:event-id:v1";

/** How a card declares it. */
export const eventIdExtension: AgentExtension = {
  uri: eventIdUri,
  description:
    "Events of streams have ids, in SSE frames or in gRPC metadata; Last-Event-ID resumes after one",
};
