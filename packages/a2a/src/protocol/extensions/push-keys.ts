import type { AgentExtension } from "../agent-card.js";

/**
 * The extension by which a card says where receivers of push notifications find the public keys that verify them:
 * `params.url` is the URL of a JSON Web Key Set. It adds nothing to calls.
 */
export const pushKeysUri = "urn:parley:a2a:push-keys:v1";

/** The declaration in the card of an agent whose notifications are signed with keys of the set at this URL. */
export function pushKeysExtension(url: string): AgentExtension {
  const description = "Push notifications are signed; the public keys are at the URL in params";
  return { uri: pushKeysUri, description, params: { url } };
}
