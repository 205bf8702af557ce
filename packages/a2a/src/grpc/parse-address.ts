/** How to call a server whose address has no scheme. */
export type BareAddress = "tls" | "plaintext";

/** Where a server is, and how to call it. */
export interface Address {
  /** Without its scheme. */
  readonly host: string;
  readonly isSecure: boolean;
  /** Whether secrets may be sent there. Not in plaintext beyond this machine, unless the address says so. */
  readonly isTrusted: boolean;
}

const schemes: Readonly<Record<string, boolean>> = {
  "http:": false,
  "https:": true,
  "grpc:": false,
  "grpcs:": true,
};

export function parseAddress(address: string, bareAddress?: BareAddress): Address {
  const [, scheme = "", host = ""] = /^([a-z]+:)\/\/([^/]+)/i.exec(address) ?? [];
  const isSecure = schemes[scheme.toLowerCase()];
  if (isSecure === undefined) {
    return {
      host: address,
      isSecure: bareAddress === "tls",
      isTrusted: bareAddress !== undefined || isThisMachine(address),
    };
  }
  const port = isSecure ? 443 : 80;
  return { host: /:\d+$/.test(host) ? host : `${host}:${port}`, isSecure, isTrusted: true };
}

/** Compares the whole name: one that only begins like an address of this machine may lead elsewhere. */
function isThisMachine(address: string): boolean {
  return /^(?:unix:.*|(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?)$/i.test(address);
}
