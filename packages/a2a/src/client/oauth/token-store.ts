/** The tokens that an authorization server has issued. */
export interface StoredTokens {
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly obtainedAt: number;
  /** Milliseconds since 1970; absent when the server does not say. */
  readonly expiresAt?: number;
  readonly refreshToken?: string;
}

/**
 * Keeps tokens by a key that names the agent, the authorization server, the client and the scopes, so that no
 * token goes to an agent that it is not for.
 */
export interface TokenStore {
  load(key: string): Promise<StoredTokens | undefined>;
  save(key: string, tokens: StoredTokens): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Does work while no other user of the store does work for the same key. A store that several processes share
   * needs this, since a refresh token can be used once.
   */
  exclusive?<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Keeps tokens for as long as the program runs. */
export function createMemoryTokenStore(): TokenStore {
  const tokens = new Map<string, StoredTokens>();
  return {
    load: async (key) => tokens.get(key),
    save: async (key, saved) => void tokens.set(key, saved),
    delete: async (key) => void tokens.delete(key),
  };
}
