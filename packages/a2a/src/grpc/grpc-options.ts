import type { Authenticator, HostedAgent, Limits, PeerCertificate } from "../protocol/internal.js";
import type { AgentPlace } from "../wire/internal.js";

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

/** Where an agent is found on a server: callers name it by its path and its tenant, in the tenant of a call. */
export interface GrpcMount extends AgentPlace {
  readonly agent: HostedAgent;
  /** Who may call this agent: instead of the server's; anyone, with `false`. */
  readonly auth?: Authenticator | false;
}

export interface GrpcOptions {
  readonly mounts: readonly GrpcMount[];
  readonly limits?: Limits;
  /** Refuses 1.0 calls that do not name their version, as the specification has it. */
  readonly strictVersion?: boolean;
  /** Whether what a connection from this address says of its caller's is believed. */
  readonly trustsProxy?: (address: string) => boolean;
  /** Who may call agents that do not say so themselves; anyone when absent. */
  readonly auth?: Authenticator;
  /** Hears of errors that callers are told nothing about. Default: one line on the console. */
  readonly reportFailure?: (error: unknown) => void;
}
