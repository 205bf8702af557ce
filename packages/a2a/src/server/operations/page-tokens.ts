import { A2AError } from "../../protocol/internal.js";
import type { Sealer } from "../../store/internal.js";
import type { RunEnvironment } from "../run-environment.js";

const keyName = "page-tokens";
/** There is only one key, so tokens do not name it. */
const keyId = "1";

/** How many tokens a node remembers. Whoever goes through a list brings back the token that the node has just made. */
const maxKept = 1024;

type TokenEnvironment = Pick<RunEnvironment, "store" | "crypto">;

/**
 * Encrypts places in lists as page tokens. A token is opaque, cannot be forged, and is valid only for the list it
 * was made for: the same caller, filter and agent. The key is in the store, so that every node can read the
 * tokens of every other.
 */
export class PageTokens {
  readonly #environment: TokenEnvironment;
  #sealer: Promise<Sealer> | undefined;
  /** Places by list and token. */
  readonly #kept = new Map<string, string>();

  constructor(environment: TokenEnvironment) {
    this.#environment = environment;
  }

  /** `list` has to name everything that the list depends on. */
  async encode(place: readonly (string | number)[], list: string): Promise<string> {
    const text = JSON.stringify(place);
    const sealer = await this.#open();
    const token = (await sealer.seal(text, list)).slice(keyId.length + 1);
    this.#kept.set(`${token} ${list}`, text);
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= maxKept) break;
      this.#kept.delete(oldest);
    }
    return token;
  }

  /** Throws `INVALID_PARAMS`, always with the same message, for a token that is not of this list. */
  async decode(token: string, list: string): Promise<readonly unknown[]> {
    const place = this.#kept.get(`${token} ${list}`) ?? (await this.#unseal(token, list));
    if (place !== undefined) return JSON.parse(place) as readonly unknown[];
    const description = "expected a token from an earlier page of the same list";
    throw new A2AError("INVALID_PARAMS", `pageToken: ${description}`, {
      details: { fieldViolations: [{ field: "pageToken", description }] },
    });
  }

  async #unseal(token: string, list: string): Promise<string | undefined> {
    const sealer = await this.#open();
    return sealer.open(`${keyId}.${token}`, list);
  }

  #open(): Promise<Sealer> {
    this.#sealer ??= this.#load();
    return this.#sealer;
  }

  async #load(): Promise<Sealer> {
    try {
      const { store, crypto } = this.#environment;
      return crypto.createSealer(keyId, await store.settleSecret(keyName, crypto.newSealKey()));
    } catch (error) {
      // The store may answer next time.
      this.#sealer = undefined;
      throw error;
    }
  }
}
