const algorithm = "pbkdf2-sha256";
const hashBits = 256;
const defaultIterations = 600_000;

/** Hashes a password for storage: by the platform's PBKDF2, with salt and iterations in the result. */
export async function hashPassword(
  password: string,
  iterations: number = defaultIterations,
): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(16));
  const hash = await derive(password, salt, iterations);
  return [algorithm, iterations, toBase64(salt), toBase64(hash)].join("$");
}

/** A parsed password hash. */
export interface PasswordHash {
  readonly iterations: number;
  readonly salt: Uint8Array<ArrayBuffer>;
  readonly hash: Uint8Array<ArrayBuffer>;
}

export function parsePasswordHash(text: string): PasswordHash {
  const [name, iterations, salt = "", hash = ""] = text.split("$");
  const parsed = { iterations: Number(iterations), salt: fromBase64(salt), hash: fromBase64(hash) };
  const isComplete = parsed.iterations > 0 && parsed.hash.length === hashBits / 8;
  if (name !== algorithm || !isComplete)
    throw new Error("this is not a password hash; hashPassword() makes one");
  return parsed;
}

/**
 * Whether a password has this hash. Compares all bits, so that the time does not depend on where they
 * differ.
 */
export async function isPassword(
  password: string,
  { iterations, salt, hash }: PasswordHash,
): Promise<boolean> {
  const derived = await derive(password, salt, iterations);
  let difference = 0;
  for (const [index, byte] of hash.entries()) difference |= byte ^ derived[index]!;
  return difference === 0;
}

async function derive(
  password: string,
  salt: Uint8Array<ArrayBuffer>,
  iterations: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(password.normalize("NFC"));
  const key = await crypto.subtle.importKey("raw", bytes, "PBKDF2", false, ["deriveBits"]);
  const parameters = { name: "PBKDF2", hash: "SHA-256", salt, iterations };
  return new Uint8Array(await crypto.subtle.deriveBits(parameters, key, hashBits));
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes));
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}
