import type { ServerOptions as TlsOptions } from "node:https";
import type { Authenticator } from "../protocol/internal.js";

/**
 * Adds to the TLS options that the server asks callers for certificates, if an authenticator wants them. Callers
 * without a certificate can still connect: cards are for everyone, and a refusal has to say what is missing.
 */
export function withClientCertificates(
  tls: TlsOptions | undefined,
  authenticators: readonly (Authenticator | undefined)[],
): TlsOptions | undefined {
  if (!authenticators.some((auth) => auth?.asksForCertificate === true)) return tls;
  // Without a ca of its own, node would trust a certificate of any public authority.
  if (tls?.ca === undefined) {
    throw new Error("client certificates need tls.ca: give the authorities that sign them");
  }
  return { requestCert: true, rejectUnauthorized: false, ...tls };
}

/** The authorities of TLS options, joined to one PEM. */
export function authoritiesOf({ ca = [] }: TlsOptions): Buffer {
  return Buffer.concat([ca].flat().map((one) => Buffer.from(one.toString())));
}
