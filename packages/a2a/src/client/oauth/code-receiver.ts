/** What a sign-in was begun with, and is ended with. Its verifier is a secret. */
export interface PendingSignIn {
  /** What the tokens will be kept by. */
  readonly key: string;
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  readonly nonce?: string;
}

/** Ready to receive one user. */
export interface Reception {
  /** Where the authorization server sends the user back to. */
  readonly redirectUri: string;
  /** A sign-in that was begun before, with the URL at which it came back. */
  resume?(key: string): { readonly pending: PendingSignIn; readonly url: string } | undefined;
  /** Sends the user to the URL, and gives the one they come back to. */
  receive(authorizationUrl: URL, pending: PendingSignIn): Promise<string>;
  /** Lets go of what it listens on. */
  close?(): Promise<void>;
}

/** Sends users to sign in and receives them when they come back, each platform in its own way. */
export type CodeReceiver = (signal: AbortSignal) => Promise<Reception>;
