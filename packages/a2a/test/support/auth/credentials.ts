import type { Credentials, PeerCertificate } from "../../../src/protocol/internal.js";

interface Given {
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly cookies?: Readonly<Record<string, string>>;
  readonly certificate?: PeerCertificate;
}

/** The credentials that a request would carry, without a request. */
export function credentials(given: Given = {}): Credentials {
  const { headers = {}, query = {}, cookies = {}, certificate } = given;
  return {
    header: (name) => headers[name],
    query: (name) => query[name],
    cookie: (name) => cookies[name],
    certificate,
  };
}

export function bearer(token: string): Credentials {
  return credentials({ headers: { authorization: `Bearer ${token}` } });
}
