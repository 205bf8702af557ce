/** What an authorization server gave. */
export interface StoredTokens {
  readonly accessToken: string;
  /** Milliseconds since 1970. */
  readonly obtainedAt: number;
  /** Absent when the server does not say. */
  readonly expiresAt?: number;
  readonly refreshToken?: string;
}

/**
 * Keeps tokens by a key that names the agent, the authorization server, the client and the scopes, so
 * that none is ever given to whom it is not for.
 */
export interface TokenStore {
  load(key: string): Promise<StoredTokens | undefined>;
  save(key: string, tokens: StoredTokens): Promise<void>;
  delete(key: string): Promise<void>;
  /**
   * Does work while nobody else who shares the store does any for the same key. Refresh tokens can be
   * used once; a store that processes share needs this.
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
