import type { PeerCertificate } from "../../protocol/internal.js";
import { alternativeNames } from "./alternative-names.js";
import { absent, invalid, known } from "../scheme.js";
import type { Scheme } from "../scheme.js";

export interface MutualTlsOptions {
  /**
   * What names the owner of a certificate: its only alternative name of this kind, its common name, or its
   * fingerprint; or a function, which returns `undefined` to refuse the certificate.
   */
  readonly subject:
    | "uri"
    | "dns"
    | "email"
    | "commonName"
    | "fingerprint"
    | ((certificate: PeerCertificate) => string | undefined);
  /** The admitted callers with their scopes; every caller that the authority has certified when absent. */
  readonly clients?: Readonly<Record<string, readonly string[]>>;
  readonly description?: string;
}

/**
 * A scheme whose callers present a certificate when they connect; `tls.ca` of the server says who has to
 * sign it.
 */
export function mutualTls({ subject: choice, clients, description }: MutualTlsOptions): Scheme {
  const scopesByClient = clients && new Map(Object.entries(clients));
  return {
    description: { mtlsSecurityScheme: description === undefined ? {} : { description } },
    // No HTTP authentication scheme is registered for certificates, but a challenge has to name one.
    challenge: { scheme: "ClientCertificate" },
    async check({ certificate }) {
      if (certificate === undefined) return absent;
      const subject =
        typeof choice === "function" ? choice(certificate) : nameIn(certificate, choice);
      if (subject === undefined || subject === "") return invalid("no name in the certificate");
      if (scopesByClient === undefined) return known({ subject, scopes: [] });
      const scopes = scopesByClient.get(subject);
      return scopes === undefined ? invalid("unknown client") : known({ subject, scopes });
    },
  };
}

const kinds = { uri: "URI", dns: "DNS", email: "email" };

/**
 * The name that the certificate has for its owner. One of several names of a kind is ambiguous and does not
 * count.
 */
function nameIn(
  certificate: PeerCertificate,
  choice: keyof typeof kinds | "commonName" | "fingerprint",
): string | undefined {
  if (choice === "fingerprint") {
    return certificate.fingerprint256.replaceAll(":", "").toLowerCase();
  }
  if (choice === "commonName") {
    const { CN: name } = certificate.subject;
    return typeof name === "string" ? name : undefined;
  }
  const names = alternativeNames(certificate.subjectaltname ?? "")
    .filter(({ kind }) => kind === kinds[choice])
    .map(({ value }) => value);
  return names.length === 1 ? names[0] : undefined;
}
