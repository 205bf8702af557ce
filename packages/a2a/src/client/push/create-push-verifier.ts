import { decodeProtectedHeader, errors, jwtVerify } from "jose";
import type { JSONWebKeySet, JWTPayload } from "jose";
import { A2AError, defaultLimits } from "../../protocol/internal.js";
import type { ProtocolVersion, StreamResponse } from "../../protocol/internal.js";
import { Cursor, decodePush, parseJson, versionOf } from "../../wire/internal.js";
import { signatureAlgorithms } from "../../wire/card/internal.js";
import type { SignatureAlgorithm } from "../../wire/card/internal.js";
import { findAgentKeys, NoKeySet } from "./agent-keys.js";
import { bytesOf, headerOf } from "./push-request.js";
import type { PushRequest } from "./push-request.js";
import { ReplayWindow } from "./replay-window.js";

/** Which agent and which webhook notifications are verified for, and how strictly. */
export interface PushVerifierOptions {
  /**
   * The agent's URL, which you trust: only keys that are found there verify notifications. They are looked for at
   * `/.well-known/jwks.json` below this URL, and then at its origin.
   */
  readonly agent: string;
  /**
   * The URL of this webhook as it was registered, without its query. Notifications for other URLs are
   * refused.
   */
  readonly url: string | readonly string[];
  /** The token that was registered, for all tasks or by task id. Not checked when absent. */
  readonly token?: string | ((taskId: string) => string | undefined | Promise<string | undefined>);
  /** How old a notification may be; 5 minutes when absent. */
  readonly maxAgeMs?: number;
  /** The most bytes a body may have; 64 MiB when absent. */
  readonly maxBytes?: number;
  /** How many signatures are remembered to detect replays; 100 000 when absent. */
  readonly maxRemembered?: number;
  /** The algorithms that are accepted; all with public keys when absent. */
  readonly algorithms?: readonly SignatureAlgorithm[];
  /**
   * The URL of the agent's keys, if they are elsewhere. A notification names the URL of its keys in the header
   * `X-A2A-Notification-Keys`; that is a hint for you, and never a reason to trust that URL.
   */
  readonly keysUrl?: string;
  /** The agent's keys; fetched when absent. */
  readonly keys?: JSONWebKeySet;
  readonly fetch?: typeof fetch;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** A notification that is certainly from the agent. */
export interface VerifiedPush {
  /** The id of the notification, the same when it is sent again. */
  readonly id: string;
  /** Grows from one notification of a task to the next; one that is not above the last is a repetition. */
  readonly sequence: number;
  readonly taskId: string;
  /** What happened; versions before 1.0 send the whole task. */
  readonly event: StreamResponse;
  readonly version: ProtocolVersion;
  readonly sentAt: Date;
}

/** Verifies the notifications that arrive at a webhook. */
export interface PushVerifier {
  /**
   * Checks the signature, its age, that it is for this webhook and was not used before, the body and the
   * token. Throws an `A2AError`: `UNAUTHENTICATED` when the notification is not from the agent, `UNAVAILABLE`
   * when the agent's keys cannot be fetched, with the URLs that were asked and what they answered. Answer either with
   * a status other than 2xx, and it is sent again.
   */
  readonly verifyPush: (request: PushRequest) => Promise<VerifiedPush>;
}

/** How far the clocks of sender and receiver may be apart. */
const toleranceSeconds = 60;

/**
 * Creates a verifier of the notifications that a webhook receives. Keep it for as long as the webhook is
 * served: it holds the agent's keys and the signatures that were seen.
 *
 * @example
 * const { verifyPush } = createPushVerifier({
 *   agent: "https://agents.example.com/travel",
 *   url: "https://me.example.com/hook",
 * });
 * const { event } = await verifyPush(request);
 */
export function createPushVerifier(options: PushVerifierOptions): PushVerifier {
  const {
    maxAgeMs = 300_000,
    maxBytes = 64 * 1024 * 1024,
    maxRemembered = 100_000,
    algorithms = signatureAlgorithms,
    now = Date.now,
  } = options;
  const keys = findAgentKeys(options);
  const audience = [options.url].flat().map(withoutQuery);
  const maxAgeSeconds = maxAgeMs / 1000;
  const seen = new ReplayWindow(maxRemembered);
  const limits = {
    ...defaultLimits,
    maxBodyBytes: maxBytes,
    maxParts: Infinity,
    maxElements: Infinity,
  };

  async function verifySignature(request: PushRequest): Promise<Claims> {
    const signature = headerOf(request, "x-a2a-notification-signature");
    if (signature === undefined) throw refused("it has no signature");
    try {
      const { payload } = await jwtVerify(signature, keys.find, {
        algorithms: [...algorithms],
        audience,
        typ: "a2a-notification+jwt",
        maxTokenAge: maxAgeSeconds,
        clockTolerance: toleranceSeconds,
        currentDate: new Date(now()),
        requiredClaims: ["jti", "notification_id", "sequence", "request_body_sha256"],
      });
      return payload as Claims;
    } catch (error) {
      throw explain(error, signature, keys.places);
    }
  }

  return {
    async verifyPush(request) {
      const claims = await verifySignature(request);
      const bytes = await bytesOf(request, maxBytes);
      if ((await digestOf(bytes)) !== claims.request_body_sha256) {
        throw refused("its body is not the one that was signed");
      }
      const cursor = new Cursor({ code: "INVALID_AGENT_RESPONSE", limits });
      const { dialect, event } = decodePush(parseJson(bytes, limits), cursor);
      const taskId = taskIdOf(event);
      const token =
        typeof options.token === "function" ? await options.token(taskId) : options.token;
      if (
        options.token !== undefined &&
        !isSame(headerOf(request, "x-a2a-notification-token"), token)
      ) {
        throw refused("its token is not the one that was registered");
      }
      const expiredAt = now() / 1000 - maxAgeSeconds - toleranceSeconds;
      if (!seen.take(claims.jti, claims.iat, expiredAt)) throw refused("it was received before");
      return {
        id: claims.notification_id,
        sequence: claims.sequence,
        taskId,
        event,
        version: versionOf(dialect),
        sentAt: new Date(claims.iat * 1000),
      };
    },
  };
}

interface Claims extends JWTPayload {
  readonly jti: string;
  readonly iat: number;
  readonly notification_id: string;
  readonly sequence: number;
  readonly request_body_sha256: string;
}

/** Tells errors of the signature, which refuse the notification, from errors of fetching the keys. */
function explain(error: unknown, signature: string, places: readonly string[]): A2AError {
  const isUnfit =
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) &&
    error.code !== "ERR_JOSE_GENERIC";
  if (isUnfit) return refused(reasonOf(error, places), error);
  const found =
    error instanceof NoKeySet ? error.message : `${places.join(", ")}: ${String(error)}`;
  const message = `the agent's keys cannot be fetched: ${found}${hintIn(signature, places)}`;
  return new A2AError("UNAVAILABLE", message, { cause: error });
}

/** What the notification itself says of its keys. Anyone can have written it, so it is shown and not followed. */
function hintIn(signature: string, places: readonly string[]): string {
  try {
    const { href } = new URL(String(decodeProtectedHeader(signature).jku));
    if (places.includes(href) || href.length > maxHintLength) return "";
    return `; the notification says that they are at ${href}: set keysUrl to that if you trust it`;
  } catch {
    return "";
  }
}

const maxHintLength = 2000;

function reasonOf(error: errors.JOSEError, places: readonly string[]): string {
  if (error instanceof errors.JWTExpired) return "it is too old";
  if (error instanceof errors.JWKSNoMatchingKey) {
    const where = places.length === 0 ? "" : ` (${places.join(" or ")})`;
    return `the agent has no key with its key id${where}`;
  }
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === "aud"
      ? "it is for another webhook"
      : `its claim ${error.claim} is not valid`;
  }
  return "its signature is not valid";
}

function refused(reason: string, cause?: unknown): A2AError {
  return new A2AError("UNAUTHENTICATED", `this notification is refused: ${reason}`, { cause });
}

function taskIdOf({ task, message, statusUpdate, artifactUpdate }: StreamResponse): string {
  return task?.id ?? (message ?? statusUpdate ?? artifactUpdate)?.taskId ?? "";
}

async function digestOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Compares in a time that does not depend on where the texts differ. */
function isSame(found: string | undefined, expected: string | undefined): boolean {
  if (found === undefined || expected === undefined || found.length !== expected.length)
    return false;
  let difference = 0;
  for (let index = 0; index < found.length; index += 1) {
    difference |= found.charCodeAt(index) ^ expected.charCodeAt(index);
  }
  return difference === 0;
}

function withoutQuery(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
