import type {
  AgentService,
  AgentCard,
  AgentInterface,
  Authenticator,
  Limits,
  PeerCertificate,
} from "../protocol/index.js";

/** An agent that is served: who answers, and what its card says. */
export interface HostedAgent {
  readonly service: AgentService;
  /** The agent's card, served at the given interfaces. */
  card(interfaces: readonly AgentInterface[]): AgentCard;
}

/** What is known of a call before its message is read. */
export interface GrpcRequest {
  /** `/package.Service/Method` */
  readonly path: string;
  /** Metadata by its lower-case name; several of one name are joined by commas. */
  header(name: string): string | undefined;
  /** The caller's address and port, as the socket has them. */
  readonly peer: string;
  /** The caller's certificate, if it has one that leads to a trusted authority. */
  readonly certificate?: PeerCertificate | undefined;
}

export interface GrpcOptions {
  readonly agent: HostedAgent;
  /** Put into every call. */
  readonly tenant?: string;
  readonly limits?: Limits;
  /** Refuses 1.0 calls that do not name their version, as the specification has it. */
  readonly strictVersion?: boolean;
  /** Whether what a connection from this address says of its caller's is believed. */
  readonly trustsProxy?: (address: string) => boolean;
  /** Who may call; anyone when absent. */
  readonly auth?: Authenticator;
  /** Hears of errors that callers are told nothing about. Default: one line on the console. */
  readonly reportFailure?: (error: unknown) => void;
}
