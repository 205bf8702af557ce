import { expect, test } from "vitest";
import { createMemoryStore } from "../../store/memory/internal.js";
import { createStoredPushKeys } from "./stored-push-keys.js";
import type { PushKeys } from "./push-keys.js";

const rotateMs = 1000;

async function kidsOf(keys: PushKeys): Promise<unknown[]> {
  const published = (await keys.publicKeys()) as { readonly keys: { readonly kid: unknown }[] };
  return published.keys.map(({ kid }) => kid);
}

test("nodes over one store sign with the same key, and publish the same", async () => {
  const store = createMemoryStore();
  const nodes = [0, 1, 2].map(() => createStoredPushKeys(store, { rotateMs, now: () => 5500 }));
  const signing = await Promise.all(nodes.map((node) => node.signingKey()));
  expect(new Set(signing.map(({ kid }) => kid)).size).toBe(1);
  const published = await Promise.all(nodes.map(kidsOf));
  expect(published[1]).toEqual(published[0]);
  expect(published[2]).toEqual(published[0]);
});

test("a key is published before it signs, and after it has signed", async () => {
  let now = 5500;
  const keys = createStoredPushKeys(createMemoryStore(), { rotateMs, now: () => now });
  const signed: string[] = [];
  const published: unknown[][] = [];
  for (now = 5500; now < 10_000; now += rotateMs) {
    published.push(await kidsOf(keys));
    signed.push((await keys.signingKey()).kid);
  }
  expect(new Set(signed).size).toBe(signed.length);
  for (const [index, kid] of signed.entries()) {
    expect(published[index]?.[0]).toBe(kid);
    for (const around of [index - 1, index + 1]) {
      if (around in published) expect(published[around]).toContain(kid);
    }
    expect(published[index + 2] ?? []).not.toContain(kid);
  }
});

test("nothing private is published", async () => {
  const keys = createStoredPushKeys(createMemoryStore());
  const published = (await keys.publicKeys()) as { readonly keys: object[] };
  for (const key of published.keys) {
    expect(Object.keys(key).toSorted()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
  }
});

test("a store that fails is asked again", async () => {
  const store = createMemoryStore();
  let isBroken = true;
  const keys = createStoredPushKeys({
    async settleSecret(name, proposed) {
      if (isBroken) throw new Error("broken");
      return store.settleSecret(name, proposed);
    },
  });
  await expect(keys.signingKey()).rejects.toThrow("broken");
  await expect(keys.publicKeys()).rejects.toThrow("broken");
  isBroken = false;
  const { kid } = await keys.signingKey();
  expect((await kidsOf(keys))[0]).toBe(kid);
});
