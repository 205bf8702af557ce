import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { Refusal } from "../http/refusal.js";
import type { FindOperator, OperatorCredentials } from "./find-operator.js";

export interface DoorOptions {
  /** Asked for beside the code where other machines reach the backend. */
  readonly key?: string;
  /** Finds out who a person is, where other machines reach the backend of a server that knows its callers. */
  readonly findOperator?: FindOperator;
  /** Signs tokens. A backend that keeps it goes on with the sessions of the one before. */
  readonly sessionKey?: Uint8Array;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const codeMs = 5 * 60_000;
const tokenMs = 12 * 3_600_000;

/** What somebody shows who wants to be let in. */
export interface Shown {
  readonly code: string;
  readonly key?: string | undefined;
  readonly operator?: OperatorCredentials | undefined;
}

/** As whom somebody acts whom nobody has asked. */
const unnamed = "inspector";

/** The most of a name that a token carries. */
const maxSubject = 200;

/** How many codes may wait to be used. */
const maxCodes = 16;

/**
 * Lets people in: a code from a link, once, for a token. Tokens are signed and say whose they are, so that none has to be
 * kept, and neither sessions nor guesses take up memory.
 */
export class Door {
  readonly #key: string | undefined;
  readonly #findOperator: FindOperator | undefined;
  readonly #signingKey: Uint8Array;
  readonly #now: () => number;
  /** Hashes of codes, and until when they are good. */
  readonly #codes = new Map<string, number>();

  constructor({ key, findOperator, sessionKey = randomBytes(32), now = Date.now }: DoorOptions) {
    this.#key = key;
    this.#findOperator = findOperator;
    this.#signingKey = sessionKey;
    this.#now = now;
  }

  /** A code for one link. */
  newCode(): string {
    const code = randomBytes(24).toString("base64url");
    const [oldest] = this.#codes.keys();
    if (this.#codes.size >= maxCodes && oldest !== undefined) this.#codes.delete(oldest);
    this.#codes.set(hashOf(code).toString("hex"), this.#now() + codeMs);
    return code;
  }

  /** A token for a code, which is used up. */
  async exchange({ code, key, operator }: Shown): Promise<string> {
    const found = this.#find(code);
    if (found === undefined) throw codeIsUsed();
    if (this.#key !== undefined && !isEqual(key ?? "", this.#key)) {
      throw new Refusal(401, "UNAUTHENTICATED", "the inspector asks for its key", {
        details: { metadata: { needs: "key" } },
        hint: "Enter the key that the inspector was started with.",
      });
    }
    const subject = (await this.#findOperator?.(operator)) ?? unnamed;
    // Somebody else may have used it meanwhile.
    if (!this.#codes.delete(found)) throw codeIsUsed();
    const until = (this.#now() + tokenMs).toString(36);
    const nonce = randomBytes(16).toString("base64url");
    const name = Buffer.from(subject.slice(0, maxSubject)).toString("base64url");
    const content = `${until}.${nonce}.${name}`;
    return `${content}.${this.#sign(content)}`;
  }

  /** Who sends a request. Refuses one without a token that is good. Tokens come in the header, and nowhere else. */
  check(request: Request): string {
    const given = /^Bearer (\S{1,2048})$/i.exec(request.headers.get("authorization") ?? "")?.[1];
    const [until = "", nonce = "", name = "", signature = ""] = given?.split(".") ?? [];
    const isSigned = isEqual(signature, this.#sign(`${until}.${nonce}.${name}`));
    if (isSigned && Number.parseInt(until, 36) > this.#now()) {
      return Buffer.from(name, "base64url").toString();
    }
    throw new Refusal(401, "UNAUTHENTICATED", "this needs a session", {
      hint: "Open a new link of the inspector.",
    });
  }

  #find(code: string): string | undefined {
    const given = hashOf(code);
    let found: string | undefined;
    for (const [hash, until] of this.#codes) {
      const isIt = timingSafeEqual(given, Buffer.from(hash, "hex"));
      if (until <= this.#now()) this.#codes.delete(hash);
      else if (isIt) found = hash;
    }
    return found;
  }

  #sign(text: string): string {
    return createHmac("sha256", this.#signingKey).update(text).digest("base64url");
  }
}

function codeIsUsed(): Refusal {
  return new Refusal(401, "UNAUTHENTICATED", "the code of this link was used, or is too old", {
    hint: "Ask for a new link in the terminal of the inspector: press Enter there, or start it again.",
  });
}

function hashOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}

/** Compares in a time that says nothing about where the texts differ. */
function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(hashOf(given), hashOf(expected));
}
