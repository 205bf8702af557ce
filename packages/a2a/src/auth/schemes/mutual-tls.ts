import type { PeerCertificate } from "../../protocol/internal.js";
import { alternativeNames } from "./alternative-names.js";
import { absent, invalid, known } from "../scheme.js";
import type { Scheme } from "../scheme.js";

export interface MutualTlsOptions {
  /**
   * What of a certificate names its owner: the one alternative name of this kind, the common name, or
   * the certificate itself; or a function, which gives undefined to refuse.
   */
  readonly subject:
    | "uri"
    | "dns"
    | "email"
    | "commonName"
    | "fingerprint"
    | ((certificate: PeerCertificate) => string | undefined);
  /** Only these callers, with these scopes; whoever the authority has certified when absent. */
  readonly clients?: Readonly<Record<string, readonly string[]>>;
  readonly description?: string;
}

/** A certificate that callers present when they connect; `tls.ca` says by whom it has to be signed. */
export function mutualTls({ subject: choice, clients, description }: MutualTlsOptions): Scheme {
  const scopesByClient = clients && new Map(Object.entries(clients));
  return {
    description: { mtlsSecurityScheme: description === undefined ? {} : { description } },
    // No such scheme is registered, but a refusal has to name one.
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

/** A name that is not the only one of its kind names nobody. */
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
