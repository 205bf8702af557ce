import type { GrpcBounds } from "../binding/internal.js";

/**
 * How agents are served over gRPC beside HTTP. Uses no types of the packages that gRPC needs: servers without gRPC
 * need not install them. How long a request may take is `timeouts.requestMs`, as over HTTP, unless `requestMs` says otherwise.
 */
export interface ServeGrpcOptions extends GrpcBounds {
  /** 4101 when absent; 0 for any that is free. */
  readonly port?: number;
  /**
   * Whether cards list gRPC. When absent they do if `grpcAddress` says at which address: some clients refuse a whole
   * card for an address that is no URL. With `true` and no `grpcAddress` they list the host of `publicUrl`, or else
   * `host`, and the port.
   */
  readonly inCard?: boolean;
  /** Key and certificate, in PEM; those of HTTP when absent. */
  readonly tls?: { readonly key: Buffer; readonly certificate: Buffer };
}
