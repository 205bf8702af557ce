import type { BindingOptions, GrpcBounds } from "../binding/internal.js";
import type { GrpcTls } from "./tls.js";

/**
 * The options of a gRPC server. There are no paths over gRPC: callers reach one of several agents by naming its
 * path and its tenant in the tenant of a call, such as `travel/acme`, as the agent's card says.
 */
export interface GrpcServerOptions extends BindingOptions, GrpcBounds {
  /** 4101 when absent; 0 for any that is free. */
  readonly port?: number;
  /** The loopback address when absent. */
  readonly host?: string;
  readonly tls?: GrpcTls;
  /** How long calls under way may take to end when the server stops; 1 s when absent. */
  readonly drainMs?: number;
  /** How long a connection may be silent before the server asks whether the other end is still there; 60 s when absent. */
  readonly keepaliveMs?: number;
  /** False while the server cannot answer calls, for instance without its store. The health service reports it. */
  readonly isReady?: () => Promise<boolean>;
  /** How often the health service asks `isReady` while somebody watches it; every 5 s when absent. */
  readonly healthCheckMs?: number;
  /**
   * Whether tools may ask for the services and messages of this server; true when absent. They need the credentials of a
   * caller where the agents ask for them.
   */
  readonly reflection?: boolean;
}
