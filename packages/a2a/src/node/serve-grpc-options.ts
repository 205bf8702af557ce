/**
 * How an agent is served over gRPC beside HTTP. Says nothing in the types of the packages that gRPC needs:
 * whoever does not serve it need not have them.
 */
export interface ServeGrpcOptions {
  /** 4101 when absent; 0 for any that is free. */
  readonly port?: number;
  /** In PEM. The key and the certificate of HTTP when absent. */
  readonly tls?: { readonly key: Buffer; readonly certificate: Buffer };
}
