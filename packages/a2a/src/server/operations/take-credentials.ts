import { credentialsUri } from "../../protocol/internal.js";
import type { JsonObject, JsonValue, SendMessageRequest } from "../../protocol/internal.js";

/** A request, and what was taken off it for the run alone. */
export interface TakenCredentials {
  readonly request: SendMessageRequest;
  readonly credentials?: JsonValue;
}

/**
 * Takes credentials off a request before anything is done with it, so that no hash, record, history or
 * size of it has them. A message that never has any costs two looks.
 */
export function takeCredentials(request: SendMessageRequest): TakenCredentials {
  const { message, metadata } = request;
  const inMessage = message.metadata?.[credentialsUri];
  const inRequest = metadata?.[credentialsUri];
  if (inMessage === undefined && inRequest === undefined) return { request };
  const { metadata: _, ...bare } = message;
  const { metadata: __, ...others } = request;
  const credentials = inMessage ?? inRequest;
  return {
    request: {
      ...others,
      message: { ...bare, ...without(message.metadata) },
      ...without(metadata),
    },
    ...(credentials !== undefined && { credentials }),
  };
}

function without(metadata: JsonObject | undefined): { readonly metadata?: JsonObject } {
  if (metadata === undefined) return {};
  const { [credentialsUri]: _, ...rest } = metadata;
  return Object.keys(rest).length === 0 ? {} : { metadata: rest };
}
