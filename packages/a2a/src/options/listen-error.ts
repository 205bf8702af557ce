/** Where a server was told to listen. */
export interface Listening {
  readonly host: string;
  readonly port: number;
  /** The option that sets the port, as a reader would write it: `{ port }`. */
  readonly portOption: string;
}

/** Says in plain words why a server cannot listen. Keeps the code of the system, for programs. */
export function listenError(cause: unknown, { host, port, portOption }: Listening): unknown {
  if (!(cause instanceof Error) || !("code" in cause)) return cause;
  const code = String(cause.code);
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: `port ${port} is in use; choose another with ${portOption} or stop the other program`,
    EACCES: `this user may not listen on port ${port}; choose one from 1024 with ${portOption}`,
    EADDRNOTAVAIL: `this machine has no address ${host}; choose another with { host }`,
    ENOTFOUND: `no address is known for the host ${host}; choose another with { host }`,
  };
  const reason = Object.hasOwn(reasons, code) ? reasons[code] : undefined;
  if (reason === undefined) return cause;
  return Object.assign(new Error(reason, { cause }), { code, port });
}
