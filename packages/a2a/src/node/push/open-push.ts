import type { HttpOptions } from "../../http/internal.js";
import type { Agent, PushSender } from "../../server/internal.js";
import type { SecretStore } from "../../store/internal.js";
import { createSharingSender, openNewReceivers } from "./create-push-sender.js";
import { createPushKeys } from "./push-keys.js";
import type { ServePushOptions } from "./serve-push-options.js";
import { createStoredPushKeys } from "./stored-push-keys.js";

/** The parts of a server that send push notifications. */
export interface Push {
  /**
   * A sender for the runtime of an agent, which closes it; none if the agent sends no notifications. Receivers find
   * the keys at the URL.
   */
  senderFor(agent: Agent, keysUrl: () => string | undefined): { readonly pushSender?: PushSender };
  readonly published: Pick<HttpOptions, "publicKeys">;
}

interface OpenPushOptions extends ServePushOptions {
  readonly warn: (warning: string) => void;
}

/** Prepares to send push notifications, if any of the agents sends them. */
export async function openPush(
  agents: readonly Agent[],
  store: SecretStore,
  { keys: given, rotateKeysMs, warn, ...options }: OpenPushOptions,
): Promise<Push> {
  if (!agents.some(sendsPush)) return { senderFor: () => ({}), published: {} };
  if (options.allowPrivate === true) warn(warning);
  const rotation = rotateKeysMs === undefined ? {} : { rotateMs: rotateKeysMs };
  const keys =
    given === undefined ? createStoredPushKeys(store, rotation) : await createPushKeys(given);
  const receivers = openNewReceivers(options);
  const openSender = (keysUrl: () => string | undefined): PushSender =>
    createSharingSender({ keysUrl, ...options, keys }, receivers);
  return {
    senderFor: (agent, keysUrl) => (sendsPush(agent) ? { pushSender: openSender(keysUrl) } : {}),
    published: { publicKeys: () => keys.publicKeys() },
  };
}

const warning =
  "push notifications may go to this machine and to private networks (allowPrivate). " +
  "Everyone who can register a webhook can reach whatever this machine reaches. For development only.";

function sendsPush({ capabilities }: Agent): boolean {
  return capabilities.pushNotifications === true;
}
