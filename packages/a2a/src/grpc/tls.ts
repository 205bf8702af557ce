import type { SecureServerOptions } from "node:http2";

/** The certificate of a gRPC server, and those that it asks callers for. */
export interface GrpcTls {
  /** The private key, in PEM. */
  readonly key: Buffer;
  /** The certificate, in PEM, followed by its chain to a known authority. */
  readonly certificate: Buffer;
  /** Authorities that sign client certificates, in PEM. With them, the server asks callers for a certificate. */
  readonly rootCertificates?: Buffer;
  /** Refuses callers without a certificate. */
  readonly requiresClientCertificate?: boolean;
}

/** The certificates as node expects them. */
export function secureOptions({
  key,
  certificate,
  rootCertificates,
  requiresClientCertificate = false,
}: GrpcTls): SecureServerOptions {
  return {
    key,
    cert: certificate,
    requestCert: rootCertificates !== undefined || requiresClientCertificate,
    rejectUnauthorized: requiresClientCertificate,
    ...(rootCertificates !== undefined && { ca: rootCertificates }),
  };
}
