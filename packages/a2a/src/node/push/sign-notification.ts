import { createHash, randomUUID } from "node:crypto";
import type { PushNotification } from "../../server/internal.js";
import type { SigningKey } from "./push-keys.js";

export interface Signing {
  readonly signing: SigningKey;
  /** Where receivers find the public half of the key, if that is known. */
  readonly keysUrl: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/**
 * Signs a token for one attempt to deliver a notification. It contains the digest of the body as
 * `request_body_sha256`, the receiver as its audience, the time, and an id of its own, so that a receiver can
 * refuse a replay. A repeated attempt gets a new token. Its header says where the public key is (`jku`).
 */
export async function signNotification(
  { id, sequence, config }: Pick<PushNotification, "id" | "sequence" | "config">,
  body: Uint8Array,
  { signing, keysUrl, now }: Signing,
): Promise<string> {
  const { kid, alg, key } = signing;
  const { SignJWT } = await import("jose");
  return new SignJWT({
    request_body_sha256: createHash("sha256").update(body).digest("hex"),
    notification_id: id,
    sequence,
  })
    .setProtectedHeader({
      alg,
      kid,
      typ: "a2a-notification+jwt",
      ...(keysUrl !== undefined && { jku: keysUrl }),
    })
    .setSubject(config.taskId ?? "")
    .setAudience(audienceOf(config.url))
    .setIssuedAt(Math.floor(now / 1000))
    .setJti(randomUUID())
    .sign(key);
}

/** A webhook's URL without its query, which may hold secrets and differ from task to task. */
function audienceOf(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
