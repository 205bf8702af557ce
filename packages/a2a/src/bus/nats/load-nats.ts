/**
 * What this folder uses of `@nats-io/transport-node`. Its own declarations do not compile where optional members are exact,
 * so they are not read.
 */
export interface Nats {
  connect(options: NatsConnectOptions): Promise<NatsConnection>;
  readonly errors: { readonly AuthorizationError: new (...args: never[]) => Error };
}

export interface NatsConnectOptions {
  readonly servers: string[];
  readonly name: string;
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
  readonly tls?: {
    readonly caFile?: string;
    readonly certFile?: string;
    readonly keyFile?: string;
  };
  readonly noEcho: boolean;
  readonly pingInterval: number;
  readonly maxPingOut: number;
  readonly timeout: number;
  readonly maxReconnectAttempts: number;
  readonly ignoreAuthErrorAbort: boolean;
  readonly reconnectDelayHandler: () => number;
}

export interface NatsConnection {
  publish(subject: string, payload?: string): void;
  subscribe(
    subject: string,
    options: { readonly callback: (error: Error | null, message: NatsMessage) => void },
  ): NatsSubscription;
  /** Resolves when the server has answered; rejects when the connection is lost before. */
  flush(): Promise<void>;
  status(): AsyncIterable<NatsStatus>;
  isClosed(): boolean;
  /** Resolves when the connection is closed, with the reason if it is an error. */
  closed(): Promise<unknown>;
  close(): Promise<void>;
}

export interface NatsSubscription {
  unsubscribe(): void;
}

export interface NatsMessage {
  readonly subject: string;
  string(): string;
}

export type NatsStatus =
  | { readonly type: "disconnect" | "reconnect"; readonly server: string }
  | { readonly type: "reconnecting" }
  | { readonly type: "error"; readonly error: Error };

/** Loads the NATS client on demand: its package is optional. Throws if it is not installed. */
export async function loadNats(): Promise<Nats> {
  try {
    return (await import("@nats-io/transport-node" as string)) as Nats;
  } catch (error) {
    const isMissing =
      error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    if (!isMissing) throw error;
    const message = "the NATS bus needs one more package: npm install @nats-io/transport-node";
    throw new Error(message, { cause: error });
  }
}
