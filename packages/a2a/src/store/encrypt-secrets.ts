import { A2AError } from "../protocol/internal.js";
import type { TaskPushNotificationConfig } from "../protocol/internal.js";
import type { PushConfigRecord } from "./push-store.js";
import { createSealer } from "./sealer.js";
import type { Sealer, SealKey } from "./sealer.js";
import type { Store } from "./store.js";

/** Marks a sealed value. Values without it were written before there was a key. */
const mark = "parley-sealed:";

/**
 * A store in front of a store that encrypts secrets: the URL, token, credentials and headers of push
 * configurations, and the secrets that nodes share. The first key encrypts and all keys decrypt, so a key is
 * replaced by putting a new one in front. Values that were written without a key are read as they are. Each
 * value is bound to its row: in another row it cannot be decrypted.
 */
export function encryptSecrets(store: Store, keys: readonly SealKey[]): Store {
  const sealer = createSealer(keys);

  const encrypted: Partial<Store> = {
    description: `${store.description}, secrets encrypted`,

    async append(append) {
      const { taskId, pushConfig } = append;
      if (pushConfig === undefined) return store.append(append);
      const sealed = await sealConfig(sealer, { ...pushConfig, taskId });
      return store.append({ ...append, pushConfig: sealed });
    },

    async savePushConfig(record, limits) {
      return store.savePushConfig(await sealConfig(sealer, record), limits);
    },
    async loadPushConfig(taskId, configId) {
      const record = await store.loadPushConfig(taskId, configId);
      return record && openConfig(sealer, record);
    },
    async listPushConfigs(taskId, after, limit) {
      const records = await store.listPushConfigs(taskId, after, limit);
      return Promise.all(records.map((record) => openConfig(sealer, record)));
    },

    async settleSecret(name, proposed) {
      const place = JSON.stringify(["secret", name]);
      const kept = await store.settleSecret(name, await seal(sealer, proposed, place));
      return open(sealer, kept, place);
    },
  };
  // Stores are classes with private members, so every other method is called on the store itself.
  return new Proxy(store, {
    get(target, name) {
      if (Object.hasOwn(encrypted, name)) return Reflect.get(encrypted, name) as unknown;
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === "function" ? member.bind(target) : member;
    },
  });
}

async function sealConfig(sealer: Sealer, record: PushConfigRecord): Promise<PushConfigRecord> {
  const { url, token, authentication, headers, ...rest } = record.config;
  const secrets = { url, token, authentication, headers };
  const sealed = await seal(sealer, JSON.stringify(secrets), placeOf(record));
  return { ...record, config: { ...rest, url: "", token: sealed } };
}

async function openConfig(sealer: Sealer, record: PushConfigRecord): Promise<PushConfigRecord> {
  const { token } = record.config;
  if (token?.startsWith(mark) !== true) return record;
  const { url: _, token: __, ...rest } = record.config;
  const text = await open(sealer, token, placeOf(record));
  const secrets = JSON.parse(text) as Pick<TaskPushNotificationConfig, "url">;
  return { ...record, config: { ...rest, ...secrets } };
}

function placeOf({ taskId, configId }: PushConfigRecord): string {
  return JSON.stringify(["push-config", taskId, configId]);
}

async function seal(sealer: Sealer, text: string, place: string): Promise<string> {
  return `${mark}${await sealer.seal(text, place)}`;
}

/** Throws when a secret cannot be decrypted: it must not be mistaken for an absent one. */
async function open(sealer: Sealer, value: string, place: string): Promise<string> {
  if (!value.startsWith(mark)) return value;
  const text = await sealer.open(value.slice(mark.length), place);
  if (text !== undefined) return text;
  const [id = ""] = value.slice(mark.length).split(".", 1);
  throw new A2AError(
    "INTERNAL",
    `a secret in the store cannot be decrypted with the key ${id}; configure the key it was written with`,
  );
}
