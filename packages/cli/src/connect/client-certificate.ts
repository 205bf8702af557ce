import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";
import type { Fetch } from "@parley/a2a/client";
import { certificateFetch } from "@parley/a2a/client/node";
import type { CertificateFetch } from "@parley/a2a/client/node";
import { parseUrl } from "../parse-url.js";
import { UsageError } from "../usage-error.js";

/** The certificate of a caller, and the only host that it is presented to. */
export interface ClientCertificate {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly host: string;
}

/** The files of `--client-cert` and `--client-key`; one file may have both. */
export interface CertificateFiles {
  readonly cert: string;
  readonly key?: string | undefined;
  readonly host: string;
  readonly hint: string;
}

/** Reads a certificate and its key. Errors never show what is in the files. */
export async function readClientCertificate(files: CertificateFiles): Promise<ClientCertificate> {
  const { host, hint } = files;
  const read = (option: string, path: string): Promise<Buffer> =>
    readFile(path).catch((cause: unknown) => {
      throw new UsageError(`${option}: there is no file ${path} that can be read`, { hint, cause });
    });
  const cert = await read("--client-cert", files.cert);
  const key = files.key === undefined ? cert : await read("--client-key", files.key);
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    const expected =
      "expected a certificate and its key, both as PEM and the key without a password";
    throw new UsageError(`--client-cert and --client-key: ${expected}`, { hint, cause });
  }
  return { cert, key, host };
}

/** Whether an address is at the host of the certificate, at whatever port. */
export function isForHost({ host }: ClientCertificate, address: string): boolean {
  return parseUrl(/^\w+:\/\//.test(address) ? address : `https://${address}`)?.hostname === host;
}

/** A fetch that presents a certificate to its host, and that has to be closed. */
export function presentCertificate(
  certificate: ClientCertificate,
  fetch: Fetch,
): { readonly fetch: Fetch; readonly close: () => void } {
  const { cert, key } = certificate;
  const opened = new Map<string, CertificateFetch>();
  return {
    fetch(url, init) {
      const { origin, protocol } = new URL(url);
      if (protocol !== "https:" || !isForHost(certificate, url)) return fetch(url, init);
      const present = opened.get(origin) ?? certificateFetch({ origin, cert, key });
      opened.set(origin, present);
      return present(url, init);
    },
    close: () => opened.forEach((one) => one.close()),
  };
}
