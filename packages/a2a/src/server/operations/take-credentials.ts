import { credentialsUri } from "../../protocol/internal.js";
import type { JsonObject, JsonValue, SendMessageRequest } from "../../protocol/internal.js";

/** A request without its credentials, and the credentials, which only the run gets. */
export interface TakenCredentials {
  readonly request: SendMessageRequest;
  readonly credentials?: JsonValue;
}

/**
 * Removes credentials from a request before anything else happens to it, so that they are in no hash, record,
 * history or size. A request without credentials is not copied.
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
