/** What must not be used within a step: it would make two runs of a seed differ. */
const forbidden = [
  [globalThis, "setTimeout"],
  [globalThis, "setInterval"],
  [globalThis, "setImmediate"],
  [Date, "now"],
  [Math, "random"],
  [globalThis.crypto, "getRandomValues"],
  [globalThis.crypto, "randomUUID"],
  [globalThis.crypto.subtle, "digest"],
  [globalThis.crypto.subtle, "encrypt"],
  [globalThis.crypto.subtle, "decrypt"],
  [globalThis.crypto.subtle, "importKey"],
] as const;

/**
 * Makes the platform's timers, clock, chance and cryptography throw until the returned function is called. What a step
 * needs of them comes through its ports.
 */
export function guardPlatform(isStep: () => boolean): () => void {
  const restores = forbidden.map(([holder, name]) => {
    const found = Object.getOwnPropertyDescriptor(holder, name);
    const real: unknown = Reflect.get(holder, name);
    const guarded = (...given: unknown[]): unknown => {
      if (isStep()) {
        throw new Error(`a step called ${name} of the platform; it has to go through a port`);
      }
      return typeof real === "function" ? Reflect.apply(real, holder, given) : undefined;
    };
    Object.defineProperty(holder, name, { value: guarded, configurable: true, writable: true });
    return () => {
      if (found === undefined) Reflect.deleteProperty(holder, name);
      else Object.defineProperty(holder, name, found);
    };
  });
  return () => {
    for (const restore of restores) restore();
  };
}
