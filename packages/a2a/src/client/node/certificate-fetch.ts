import type { Agent } from "node:https";
import type { SecureContextOptions } from "node:tls";
import { A2AError } from "../../protocol/internal.js";
import type { Fetch } from "../../http/internal.js";
import { sendOverHttp } from "./send-over-http.js";

export interface CertificateFetchOptions extends Pick<
  SecureContextOptions,
  "cert" | "key" | "passphrase" | "pfx" | "ca"
> {
  /** The only origin to which the certificate is presented. */
  readonly origin: string;
  /** Used for every other origin; the platform's own when absent. */
  readonly fetch?: Fetch;
}

/** A fetch with its own connections, which `close` ends. */
export interface CertificateFetch extends Fetch, Disposable {
  close(): void;
}

/**
 * A fetch that presents a client certificate to one origin (mutual TLS). It follows no redirects and has no
 * timeout.
 *
 * @example
 * using fetch = certificateFetch({ origin: "https://agent.example", cert, key });
 * const agent = await connect("https://agent.example", { fetch });
 */
export function certificateFetch(options: CertificateFetchOptions): CertificateFetch {
  const { fetch = (url, init) => globalThis.fetch(url, init), ...certificate } = options;
  const { origin, protocol } = new URL(options.origin);
  if (protocol !== "https:") {
    throw new A2AError("INVALID_PARAMS", `${options.origin} is not an https origin`);
  }
  let agent: Agent | undefined;
  const close = (): void => agent?.destroy();
  const present: Fetch = async (url, init) => {
    if (new URL(url).origin !== origin) return fetch(url, init);
    const https = await import("node:https");
    agent ??= new https.Agent({ ...certificate, keepAlive: true });
    return sendOverHttp(url, init, agent);
  };
  return Object.assign(present, { close, [Symbol.dispose]: close });
}
