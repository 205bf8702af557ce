/** Secrets that all nodes over a store share, such as the key of page tokens. */
export interface SecretStore {
  /**
   * Saves a value under a name unless there is one, and returns the saved one: the first node decides for all.
   */
  settleSecret(name: string, proposed: string): Promise<string>;
}
