import { createSealer, newSealKey, parseSealKey } from "../store/internal.js";
import type { Sealer } from "../store/internal.js";

/** Hashes and seals. The platform's end on another thread, whenever that is done; a simulation brings its own. */
export interface Cryptography {
  /** A hash of a text that nobody finds another text for. ASCII. */
  digest(text: string): Promise<string>;
  /** A new key, in the form in which stores keep it. */
  newSealKey(): string;
  /** A sealer with one key, under this id. */
  createSealer(id: string, key: string): Sealer;
}

/** SHA-256 in hexadecimal digits, and AES-256-GCM. */
export const platformCryptography: Cryptography = {
  async digest(text) {
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    const digits = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0"));
    return digits.join("");
  },
  newSealKey,
  createSealer: (id, key) => createSealer([parseSealKey(id, key)]),
};
