import type { ServerOptions as TlsOptions } from "node:https";
import type { Authenticator } from "../protocol/internal.js";

/**
 * The TLS options of a server that asks its callers for certificates if anyone wants to see them. Who
 * has none is not turned away at the door: cards are for everyone, and a refusal has words.
 */
export function withClientCertificates(
  tls: TlsOptions | undefined,
  authenticators: readonly (Authenticator | undefined)[],
): TlsOptions | undefined {
  if (!authenticators.some((auth) => auth?.asksForCertificate === true)) return tls;
  // Without its own authorities, node would believe a certificate of any public one.
  if (tls?.ca === undefined) throw new Error("client certificates need tls with a ca to trust");
  return { requestCert: true, rejectUnauthorized: false, ...tls };
}

/** Authorities in one PEM. */
export function authoritiesOf({ ca = [] }: TlsOptions): Buffer {
  return Buffer.concat([ca].flat().map((one) => Buffer.from(one.toString())));
}
