import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, jwtVerify } from "jose";
import type { JSONWebKeySet, JWTPayload, JWTVerifyGetKey } from "jose";
import { A2AError, defaultLimits } from "../../protocol/internal.js";
import type { ProtocolVersion, StreamResponse } from "../../protocol/internal.js";
import {
  Cursor,
  decodePush,
  parseJson,
  signatureAlgorithms,
  versionOf,
} from "../../wire/internal.js";
import type { SignatureAlgorithm } from "../../wire/internal.js";
import { bytesOf, headerOf } from "./push-request.js";
import type { PushRequest } from "./push-request.js";
import { ReplayWindow } from "./replay-window.js";

/** Which agent and which webhook notifications are verified for, and how strictly. */
export interface PushVerifierOptions {
  /** The agent's URL. Its keys are at the origin of it, under `/.well-known/jwks.json`. */
  readonly agent: string;
  /** Where this webhook is, as it was registered; a query does not count. Others' are refused. */
  readonly url: string | readonly string[];
  /** The token that was registered, for all tasks or by the id of one. Not looked at when absent. */
  readonly token?: string | ((taskId: string) => string | undefined | Promise<string | undefined>);
  /** How old a notification may be; 5 minutes when absent. */
  readonly maxAgeMs?: number;
  /** Bytes of a body; 64 MiB when absent. */
  readonly maxBytes?: number;
  /** Signatures that are remembered so that none counts twice; 100 000 when absent. */
  readonly maxRemembered?: number;
  /** Narrows what is accepted; signatures that a public key verifies when absent. */
  readonly algorithms?: readonly SignatureAlgorithm[];
  /** Where the agent's keys are, if not at its origin; a server has them below each agent, too. */
  readonly keysUrl?: string;
  /** The agent's keys, where they are not to be fetched. */
  readonly keys?: JSONWebKeySet;
  readonly fetch?: typeof fetch;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

/** A notification that is from the agent, and what it says. */
export interface VerifiedPush {
  /** The same whenever this notification is sent again. */
  readonly id: string;
  /** Grows from one notification of a task to the next: one that is not above the last is a repeat. */
  readonly sequence: number;
  readonly taskId: string;
  /** What happened; versions before 1.0 tell the whole task. */
  readonly event: StreamResponse;
  readonly version: ProtocolVersion;
  readonly sentAt: Date;
}

/** Verifies the notifications that arrive at a webhook. */
export interface PushVerifier {
  /**
   * Checks the signature, its age, that it is for this webhook and was not used before, the body and the
   * token. Throws an `A2AError`: `UNAUTHENTICATED` for what is not from the agent, `UNAVAILABLE` if its
   * keys cannot be fetched. Answer either with a status that is not 2xx and it will be sent again.
   */
  readonly verifyPush: (request: PushRequest) => Promise<VerifiedPush>;
}

/** How far the clocks of two machines may be apart. */
const toleranceSeconds = 60;

/**
 * Verifies what comes in at a webhook. Keep one for as long as the webhook is served: it holds the keys
 * and what was seen.
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
  const keys = findKeys(options);
  const audience = [options.url].flat().map(withoutQuery);
  const maxAgeSeconds = maxAgeMs / 1000;
  const seen = new ReplayWindow(maxRemembered);
  const limits = { ...defaultLimits, maxBodyBytes: maxBytes, maxParts: Infinity };

  async function verifySignature(request: PushRequest): Promise<Claims> {
    const signature = headerOf(request, "x-a2a-notification-signature");
    if (signature === undefined) throw refused("it has no signature");
    try {
      const { payload } = await jwtVerify(signature, keys, {
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
      throw explain(error);
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

function findKeys(options: PushVerifierOptions): JWTVerifyGetKey {
  const { agent, keysUrl = "/.well-known/jwks.json", keys, fetch: fetchKeys } = options;
  if (keys !== undefined) return createLocalJWKSet(keys);
  const url = new URL(keysUrl, agent);
  return createRemoteJWKSet(url, fetchKeys === undefined ? {} : { [customFetch]: fetchKeys });
}

/** Only what jose says about the signature itself counts against it; all else is about fetching keys. */
function explain(error: unknown): A2AError {
  const isUnfit =
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) &&
    error.code !== "ERR_JOSE_GENERIC";
  if (isUnfit) return refused(reasonOf(error), error);
  return new A2AError("UNAVAILABLE", "the agent's keys cannot be fetched", { cause: error });
}

function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return "it is too old";
  if (error instanceof errors.JWKSNoMatchingKey) return "its key is not one of the agent's";
  if (error instanceof errors.JWTClaimValidationFailed) {
    return error.claim === "aud" ? "it is for another webhook" : `its ${error.claim} is not right`;
  }
  return "its signature does not hold";
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

/** Takes as long wherever two texts differ. */
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
