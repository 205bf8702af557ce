import { experimental, ServerCredentials } from "@grpc/grpc-js";

export interface GrpcTls {
  /** In PEM. */
  readonly key: Buffer;
  /** In PEM, with whatever leads from it to a known authority. */
  readonly certificate: Buffer;
  /** In PEM: whom client certificates have to be signed by. Callers are asked for one if present. */
  readonly rootCertificates?: Buffer;
  /** Refuses callers without a certificate. */
  readonly requiresClientCertificate?: boolean;
}

/** What a server presents, and whether it asks its callers for the same. */
export function secureCredentials(tls: GrpcTls): ServerCredentials {
  const { key, certificate, rootCertificates, requiresClientCertificate = false } = tls;
  if (rootCertificates === undefined || requiresClientCertificate) {
    const pairs = [{ private_key: key, cert_chain: certificate }];
    return ServerCredentials.createSsl(rootCertificates ?? null, pairs, requiresClientCertificate);
  }
  // The one way in grpc-js to ask for a certificate without breaking off where there is none.
  const provider = fixedCertificates({ key, certificate, rootCertificates });
  return experimental.createCertificateProviderServerCredentials(provider, provider, false);
}

/** Certificates that stay as they are. Who listens is told a moment later: at once is too early for it. */
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
