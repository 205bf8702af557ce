import type { Target } from "./target.js";

/** The SQLSTATE of an error of the server, or the code of one of the system; `""` when it has none. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/**
 * Whether an error says that this connection is of no more use: the server ends it (57P01 to 57P05, 25P03, 25P04), it broke (08…),
 * or the server has become a standby (25006).
 */
export function endsConnection(error: unknown): boolean {
  return /^(?:08...|57P0[1-5]|25P0[34]|25006)$/.test(codeOf(error));
}

/** Whether an error may be the last one of its server: one of the system (58…), or of the server itself (XX…). */
export function mayEndServer(error: unknown): boolean {
  return /^(?:58|XX)...$/.test(codeOf(error));
}

/** A server that takes no writes is not the one that is looked for. */
export class StandbyFound extends Error {
  readonly code = "25006";
}

type Reason = (target: Target, message: string) => string;

const silent: Reason = () =>
  "it does not answer; check host, port and firewall, and that the server runs";
const untrusted: Reason = (_, message) =>
  `its certificate is not trusted (${message}); name the authority in sslrootcert`;

const reasons: Readonly<Record<string, Reason>> = {
  "28P01": ({ user }) =>
    `the server does not accept the password of "${user}"; set it in the URL, in PGPASSWORD or in .pgpass`,
  "28000": (_, message) =>
    `the server does not let this user in (${message}); check the user, pg_hba.conf and sslmode`,
  "3D000": ({ database }) =>
    `there is no database "${database}"; create it with \`createdb ${database}\`, or name another one in the URL`,
  "25006": () => "it is a read-only standby; give the address of the primary, or promote this one",
  "57P03": (_, message) => `the server does not take connections yet (${message}); try again later`,
  "53300": () =>
    "it has too many connections; raise max_connections, or put a pooler in front of it",
  "42501": (_, message) => `the user lacks a right (${message}); grant it`,
  "08P01": (_, message) =>
    `the server or pooler refuses the connection (${message}); check the URL`,
  ENOTFOUND: (_, message) =>
    `the host name ${lastWordOf(message)} is not known; check the URL, or PGHOST`,
  EAI_AGAIN: (_, message) =>
    `the host name ${lastWordOf(message)} cannot be looked up now; check the URL and the name server`,
  ECONNREFUSED: () => "nothing listens there; check host and port, and that the server runs",
  ENOENT: () => "there is no such socket; check PGHOST and the port, and that the server runs",
  ETIMEDOUT: silent,
  EHOSTUNREACH: silent,
  ENETUNREACH: silent,
  ERR_TLS_CERT_ALTNAME_INVALID: (_, message) =>
    `its certificate is for another host (${message}); check the host, or use sslmode=verify-ca`,
  CERT_HAS_EXPIRED: () => "its certificate has expired; renew it",
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
};

/** The system ends its message with the name that it looked up. */
function lastWordOf(message: string): string {
  return message.split(" ").at(-1) ?? "";
}

/** What the driver says without a code. */
const wordings: readonly (readonly [RegExp, Reason])[] = [
  [/timeout expired/, silent],
  [
    /client password must be/,
    ({ user }) =>
      `the server asks for the password of "${user}"; set it in the URL, in PGPASSWORD or in .pgpass`,
  ],
  [
    noTls(),
    () => "the server has no TLS, which sslmode asks for; turn it on there, or use sslmode=prefer",
  ],
  [
    /terminated unexpectedly|ECONNRESET|socket hang up/,
    () =>
      "it closed the connection at once; check that PostgreSQL listens there and not another program",
  ],
];

/** How the driver says that the server has no TLS. */
export function noTls(): RegExp {
  return /does not support SSL/;
}

/** Why a database cannot be used, and what to do about it: one line with host, port, database and user. */
export function failureLine(target: Target, error: unknown): string {
  const { description, user } = target;
  return `cannot use the database ${description} as user "${user}": ${reasonOf(target, error)}`;
}

function reasonOf(target: Target, error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = codeOf(error);
  const byCode = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  const reason = byCode ?? wordings.find(([pattern]) => pattern.test(`${message} ${code}`))?.[1];
  return reason?.(target, message) ?? (message || code);
}
