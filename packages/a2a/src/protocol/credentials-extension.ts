import type { AgentExtension } from "./agent-card.js";

/**
 * The extension by which a caller hands an agent credentials for a task, most often one that waits for
 * authorization (§7.6): a value in the metadata of its message, under this URI. It reaches the run that the
 * message starts, and nothing else: no history, no store, no log, no other caller.
 */
export const credentialsUri = "urn:parley:a2a:credentials:v1";

/** Declares the credentials extension in the card of an agent that accepts credentials. */
export const credentialsExtension: AgentExtension = {
  uri: credentialsUri,
  description:
    "Credentials in a message's metadata under this URI reach the agent at work and are kept nowhere",
};
