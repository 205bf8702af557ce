import { experimental, ServerCredentials } from "@grpc/grpc-js";

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

/** The credentials of a server: its certificate, and whether it asks callers for theirs. */
export function secureCredentials(tls: GrpcTls): ServerCredentials {
  const { key, certificate, rootCertificates, requiresClientCertificate = false } = tls;
  if (rootCertificates === undefined || requiresClientCertificate) {
    const pairs = [{ private_key: key, cert_chain: certificate }];
    return ServerCredentials.createSsl(rootCertificates ?? null, pairs, requiresClientCertificate);
  }
  // The only way in grpc-js to ask for a certificate without refusing callers that have none.
  const provider = fixedCertificates({ key, certificate, rootCertificates });
  return experimental.createCertificateProviderServerCredentials(provider, provider, false);
}

/** Certificates that never change. Calls each listener in a later microtask: grpc-js is not ready before. */
function fixedCertificates({
  key: privateKey,
  certificate,
  rootCertificates: caCertificate,
}: Required<Omit<GrpcTls, "requiresClientCertificate">>): experimental.CertificateProvider {
  return {
    addCaCertificateListener: (listener) => queueMicrotask(() => listener({ caCertificate })),
    removeCaCertificateListener: () => {},
    addIdentityCertificateListener: (listener) =>
      queueMicrotask(() => listener({ certificate, privateKey })),
    removeIdentityCertificateListener: () => {},
  };
}
