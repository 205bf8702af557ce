/** A sign-in that has begun. Its code verifier is a secret. */
export interface PendingSignIn {
  /** The key under which the tokens will be stored. */
  readonly key: string;
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly nonce?: string;
}

/** Is ready to receive one user. */
export interface Reception {
  /** The URL to which the authorization server sends the user back. */
  readonly redirectUri: string;
  /** The sign-in that began before, with the URL to which the user came back. */
  resume?(key: string): { readonly pending: PendingSignIn; readonly url: string } | undefined;
  /** Sends the user to the authorization server and resolves to the URL to which the user comes back. */
  receive(authorizationUrl: URL, pending: PendingSignIn): Promise<string>;
  /** Stops listening. */
  close?(): Promise<void>;
}

/** Sends users to sign in and receives them when they come back, as the platform allows. */
export type CodeReceiver = (signal: AbortSignal) => Promise<Reception>;
