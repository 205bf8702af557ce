import { readFileSync } from "node:fs";
import type { ConnectionOptions } from "node:tls";
import { nearestTo } from "../options/internal.js";

/** What is tried in order until the server agrees: TLS with these settings, or `false` for none. */
export type TlsAttempts = readonly (ConnectionOptions | false)[];

export interface TlsParameters {
  readonly sslmode?: string | undefined;
  readonly sslrootcert?: string | undefined;
  readonly sslcert?: string | undefined;
  readonly sslkey?: string | undefined;
}

const modes = ["disable", "allow", "prefer", "require", "no-verify", "verify-ca", "verify-full"];

/**
 * TLS as libpq understands `sslmode`: `prefer`, the default, takes TLS where the server has it; `require` does not check the
 * certificate unless `sslrootcert` is given. Throws an error in plain words.
 */
export function tlsAttempts(parameters: TlsParameters, isSocket: boolean): TlsAttempts {
  const { sslmode = "prefer", sslrootcert, sslcert, sslkey } = parameters;
  if (!modes.includes(sslmode)) {
    const meant = nearestTo(sslmode, modes);
    const advice =
      meant === undefined ? `expected one of ${modes.join(", ")}` : `did you mean ${meant}?`;
    throw new Error(`sslmode is "${sslmode}"; ${advice}`);
  }
  // A file of the system is no network, and no server speaks TLS there.
  if (sslmode === "disable" || isSocket) return [false];
  const isSystem = sslrootcert === "system";
  const files = {
    ...(sslrootcert !== undefined && !isSystem && { ca: readPem("sslrootcert", sslrootcert) }),
    ...(sslcert !== undefined && { cert: readPem("sslcert", sslcert) }),
    ...(sslkey !== undefined && { key: readPem("sslkey", sslkey) }),
  };
  const unchecked = { ...files, rejectUnauthorized: false };
  switch (sslmode) {
    case "allow":
    case "prefer":
      return [unchecked, false];
    case "no-verify":
      return [unchecked];
    case "verify-full":
      return [files];
    case "require":
      if (sslrootcert === undefined) return [unchecked];
  }
  return [isSystem ? files : { ...files, checkServerIdentity: () => undefined }];
}

function readPem(name: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(`${name} names ${path}, which cannot be read (${code}); check the path`);
  }
}
