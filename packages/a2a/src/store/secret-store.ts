/** Secrets that all nodes over a store share, such as the key of page tokens. */
export interface SecretStore {
  /**
   * Keeps a value under a name unless there is one already, and answers the one that is kept: whoever
   * comes first decides for all.
   */
  settleSecret(name: string, proposed: string): Promise<string>;
}
