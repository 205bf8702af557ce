import { A2AError } from "../../protocol/internal.js";
import { createSealer, newSealKey, parseSealKey } from "../../store/internal.js";
import type { Sealer, SecretStore } from "../../store/internal.js";

const keyName = "page-tokens";
/** There is one key, so tokens need not name it. */
const keyId = "1";

/**
 * Places in lists as tokens that say nothing, cannot be made by anyone else, and are only good for the list
 * they were made for: its caller, its filter, its agent. The key is the store's, so that every node
 * over it continues what another began.
 */
export class PageTokens {
  readonly #store: SecretStore;
  #sealer: Promise<Sealer> | undefined;

  constructor(store: SecretStore) {
    this.#store = store;
  }

  /** `list` has to name everything that makes the list what it is. */
  async encode(place: readonly (string | number)[], list: string): Promise<string> {
    const sealer = await this.#open();
    const sealed = await sealer.seal(JSON.stringify(place), list);
    return sealed.slice(keyId.length + 1);
  }

  /** The place, or `INVALID_PARAMS`, which says the same whatever is wrong. */
  async decode(token: string, list: string): Promise<readonly unknown[]> {
    const sealer = await this.#open();
    const place = await sealer.open(`${keyId}.${token}`, list);
    if (place !== undefined) return JSON.parse(place) as readonly unknown[];
    const description = "expected a token from an earlier page of the same list";
    throw new A2AError("INVALID_PARAMS", `pageToken: ${description}`, {
      details: { fieldViolations: [{ field: "pageToken", description }] },
    });
  }

  #open(): Promise<Sealer> {
    this.#sealer ??= this.#load();
    return this.#sealer;
  }

  async #load(): Promise<Sealer> {
    try {
      const key = await this.#store.settleSecret(keyName, newSealKey());
      return createSealer([parseSealKey(keyId, key)]);
    } catch (error) {
      // A store that does not answer now may do so later.
      this.#sealer = undefined;
      throw error;
    }
  }
}
