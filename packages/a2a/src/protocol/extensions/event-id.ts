import type { AgentExtension } from "../agent-card.js";

/**
 * The extension by which a caller resumes a broken stream after the last event it has seen, without a gap
 * or a repetition. An event's id is its sequence number in the log of its task. Over HTTP the id is the `id`
 * of the SSE frame, and the header `Last-Event-ID` resumes after it. Over gRPC the id is in the event's
 * metadata under this URI, if the caller asks for the extension, and the metadata `last-event-id` resumes.
 */
export const eventIdUri = "urn:parley:a2a:event-id:v1";

/** The declaration in a card. */
export const eventIdExtension: AgentExtension = {
  uri: eventIdUri,
  description:
    "Events of streams have ids, in SSE frames or in gRPC metadata; Last-Event-ID resumes after one",
};
