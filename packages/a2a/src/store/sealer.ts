/** A key of 256 bits. Its id is written into every value that is sealed with it. */
export interface SealKey {
  /** At most 32 letters, digits, `-` and `_`. */
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** Encrypts texts so that nobody without the key can read or change them. */
export interface Sealer {
  /** Encrypts a text for one place. It cannot be opened for another place. */
  seal(text: string, place: string): Promise<string>;
  /** Decrypts a text; `undefined` when it was not sealed for this place with one of the keys. */
  open(sealed: string, place: string): Promise<string | undefined>;
}

const ivBytes = 12;

/** A sealer with the platform's AES-256-GCM. The first key seals and all keys open, so that keys can be rotated. */
export function createSealer(keys: readonly SealKey[]): Sealer {
  const [first] = keys;
  if (first === undefined) throw new Error("sealing needs a key; pass at least one");
  const byId = new Map<string, () => Promise<CryptoKey>>();
  for (const key of keys) {
    checkKey(key);
    if (byId.has(key.id))
      throw new Error(`there are two keys of the id ${key.id}; give each its own id`);
    byId.set(key.id, importOnce(key));
  }

  return {
    async seal(text, place) {
      const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
      const key = await byId.get(first.id)?.();
      if (key === undefined) throw new Error(`there is no key ${first.id}`);
      const encrypted = await crypto.subtle.encrypt(
        { name: "AES-GCM", iv, additionalData: utf8(`${first.id}.${place}`) },
        key,
        utf8(text),
      );
      const bytes = new Uint8Array(ivBytes + encrypted.byteLength);
      bytes.set(iv);
      bytes.set(new Uint8Array(encrypted), ivBytes);
      return `${first.id}.${toBase64Url(bytes)}`;
    },

    async open(sealed, place) {
      const [id = "", body = ""] = sealed.split(".", 2);
      const bytes = fromBase64Url(body);
      const key = await byId.get(id)?.();
      // Refuses other spellings of the same bytes: base64 allows some, and `seal` never produces them.
      if (key === undefined || bytes === undefined || `${id}.${toBase64Url(bytes)}` !== sealed) {
        return undefined;
      }
      try {
        const text = await crypto.subtle.decrypt(
          {
            name: "AES-GCM",
            iv: bytes.subarray(0, ivBytes),
            additionalData: utf8(`${id}.${place}`),
          },
          key,
          bytes.subarray(ivBytes),
        );
        return new TextDecoder().decode(text);
      } catch {
        return undefined;
      }
    },
  };
}

/** A new random key in base64url, the form in which keys are configured and stored. */
export function newSealKey(): string {
  return toBase64Url(crypto.getRandomValues(new Uint8Array(32)));
}

/** Parses a key: 32 bytes in base64 or base64url. */
export function parseSealKey(id: string, text: string): SealKey {
  const plain = text.trim().replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  const bytes = fromBase64Url(plain);
  if (bytes?.byteLength !== 32) {
    throw new Error(
      `the key ${id} is not base64 of 32 bytes; make one with: openssl rand -base64 32`,
    );
  }
  const key = { id, bytes };
  checkKey(key);
  return key;
}

function checkKey({ id, bytes }: SealKey): void {
  if (!/^[\w-]{1,32}$/.test(id)) {
    throw new Error("the id of a key has at most 32 letters, digits, - and _");
  }
  if (bytes.byteLength !== 32)
    throw new Error(`the key ${id} has ${bytes.byteLength} bytes, not 32`);
}

function importOnce({ bytes }: SealKey): () => Promise<CryptoKey> {
  let imported: Promise<CryptoKey> | undefined;
  const raw = Uint8Array.from(bytes);
  return () =>
    (imported ??= crypto.subtle.importKey("raw", raw, "AES-GCM", false, ["encrypt", "decrypt"]));
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[\w-]+$/.test(text)) return undefined;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
