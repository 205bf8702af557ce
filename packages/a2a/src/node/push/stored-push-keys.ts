import type { JWK } from "jose";
import type { SecretStore } from "../../store/internal.js";
import { generateKey, importSigningKey, keySet } from "./push-keys.js";
import type { PushKeys, SigningKey } from "./push-keys.js";

export interface StoredPushKeysOptions {
  /** A key signs for this time; 30 days when absent. */
  readonly rotateMs?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const defaultRotateMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Keys that all nodes over a store share. Time is divided into periods, each with a key of its own, which
 * is made by the first node that needs it. The keys before and after the one that signs are published
 * along with it, so that receivers know the next before it is used.
 */
export function createStoredPushKeys(
  store: SecretStore,
  { rotateMs = defaultRotateMs, now = Date.now }: StoredPushKeysOptions = {},
): PushKeys {
  const kept = new Map<number, Promise<JWK>>();
  let signing: { readonly period: number; readonly key: Promise<SigningKey> } | undefined;
  const periodNow = (): number => Math.floor(now() / rotateMs);

  function keyOf(period: number): Promise<JWK> {
    const known = kept.get(period);
    if (known !== undefined) return known;
    const settled = settle(store, `push-key-${period}`);
    kept.set(period, settled);
    settled.catch(() => kept.delete(period));
    return settled;
  }

  return {
    signingKey() {
      const period = periodNow();
      if (signing?.period === period) return signing.key;
      const key = keyOf(period).then(importSigningKey);
      signing = { period, key };
      key.catch(() => (signing = undefined));
      return key;
    },
    async publicKeys() {
      const period = periodNow();
      const periods = [period, period + 1, period - 1];
      for (const known of kept.keys()) if (!periods.includes(known)) kept.delete(known);
      return keySet(await Promise.all(periods.map(keyOf)));
    },
  };
}

async function settle(store: SecretStore, name: string): Promise<JWK> {
  const proposed = JSON.stringify(await generateKey());
  return JSON.parse(await store.settleSecret(name, proposed)) as JWK;
}
