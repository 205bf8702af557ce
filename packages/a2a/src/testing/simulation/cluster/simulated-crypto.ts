import type { Cryptography } from "../../../server/internal.js";
import { hashText } from "../engine/choices.js";

/** Hashes and seals that are done at once and are the same in every run. They keep nothing secret. */
export function createSimulatedCrypto(newId: () => string): Cryptography {
  const hash = (text: string): string =>
    [0x811c9dc5, 0x1b873593].map((start) => hashText(text, start).toString(16)).join("");
  return {
    digest: async (text) => hash(text),
    newSealKey: newId,
    createSealer: (id, key) => ({
      seal: async (text, place) => `${id}.${hash(`${key}${place}${text}`)}-${encodeText(text)}`,
      async open(sealed, place) {
        const [found, body = ""] = sealed.slice(id.length + 1).split("-", 2);
        const text = decodeText(body);
        return found === hash(`${key}${place}${text}`) ? text : undefined;
      },
    }),
  };
}

function encodeText(text: string): string {
  return Array.from(text, (character) =>
    character.charCodeAt(0).toString(16).padStart(4, "0"),
  ).join("");
}

function decodeText(digits: string): string {
  return (digits.match(/.{4}/g) ?? [])
    .map((four) => String.fromCharCode(parseInt(four, 16)))
    .join("");
}
