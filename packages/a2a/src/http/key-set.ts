import type { MountTable } from "../binding/internal.js";
import { pushKeysExtension, pushKeysUri } from "../protocol/internal.js";
import type { AgentCard } from "../protocol/internal.js";
import type { HttpOptions } from "./http-options.js";
import type { HttpResponse } from "./http-message.js";

const keySetPath = "/.well-known/jwks.json";

/** The URL of the keys that sign an agent's push notifications, given the agent's base URL. */
export function keySetUrlAt(base: string): string {
  return `${base}${keySetPath}`;
}

/**
 * The server has one set of keys. It is at the root, and below each agent: only that place is certain to reach this
 * handler when the agent is mounted in somebody else's server.
 */
export function isKeySetPath({ points }: MountTable, target: string): boolean {
  return (
    target.endsWith(keySetPath) &&
    ["", ...points.map(({ path }) => path)].includes(target.slice(0, -keySetPath.length))
  );
}

export async function answerKeySet(
  publicKeys: NonNullable<HttpOptions["publicKeys"]>,
): Promise<HttpResponse> {
  const headers = { "Content-Type": "application/json", "Cache-Control": "public, max-age=300" };
  return { status: 200, headers, body: JSON.stringify(await publicKeys()) };
}

/** Says in the card of an agent that sends push notifications where the keys are, if this server publishes them. */
export function declareKeys(
  card: AgentCard,
  base: string,
  { publicKeys }: Pick<HttpOptions, "publicKeys">,
): AgentCard {
  const { capabilities } = card;
  const { pushNotifications, extensions = [] } = capabilities;
  const isDeclared = extensions.some(({ uri }) => uri === pushKeysUri);
  if (publicKeys === undefined || pushNotifications !== true || isDeclared) return card;
  const declared = [...extensions, pushKeysExtension(keySetUrlAt(base))];
  return { ...card, capabilities: { ...capabilities, extensions: declared } };
}
