import type { JWK } from "jose";
import type { SecretStore } from "../../store/internal.js";
import { generateKey, importSigningKey, keySet } from "./push-keys.js";
import type { PushKeys, SigningKey } from "./push-keys.js";

export interface StoredPushKeysOptions {
  /** How long a key signs; 30 days when absent. */
  readonly rotateMs?: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const defaultRotateMs = 30 * 24 * 60 * 60 * 1000;

/**
 * Keys that all nodes over a store share. Every period has a key of its own, which the first node that needs it
 * generates. The previous and the next key are published together with the present one, so that receivers know a
 * key before it signs.
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
