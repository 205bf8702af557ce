import process from "node:process";
import { callback, checkOptions, fields, secret } from "../../options/internal.js";
import type { Rules } from "../../options/internal.js";
import { codeOf, loadPg, parseTarget, schemaRule } from "../../postgres/internal.js";
import { openBroadcastBus } from "../broadcast/open-broadcast-bus.js";
import type { Bus } from "../bus.js";
import { hashOf } from "../shared/hash-of.js";
import { openPostgresChannel } from "./postgres-channel.js";

/** Which database carries the wake-ups. */
export interface PostgresBusOptions {
  /** `postgres://user:password@host:5432/database`. Default: `DATABASE_URL`, then the `PG*` variables, as psql takes them. */
  readonly url?: string;
  /** Nodes of one schema wake each other. Default: `?schema=` of the URL, else `parley`, as that of the store. */
  readonly schema?: string;
  /**
   * A URL of the same database that leads past a pooler: LISTEN needs a session of its own. Default: the environment
   * variable `PARLEY_LISTEN_URL`, then `url`.
   */
  readonly listenUrl?: string;
  /** Is told when wake-ups do not arrive, and when they do again: once each, in plain words. Default: prints it. */
  readonly report?: (notice: Error) => void;
}

const url = secret((value) =>
  typeof value === "string" && value !== ""
    ? undefined
    : "a URL such as postgres://user:password@host:5432/database",
);
const rules: Rules<PostgresBusOptions> = {
  url,
  schema: schemaRule,
  listenUrl: url,
  report: callback,
};
const optionsRule = fields(rules, [], 'an object such as { url: "postgres://localhost/parley" }');

/** A user, a password or a database that the server does not know: trying again does not help. */
const hopeless: readonly string[] = ["28P01", "28000", "3D000"];

/**
 * Opens a bus over PostgreSQL's LISTEN and NOTIFY, with two connections of its own. A server that cannot be reached delays
 * wake-ups and nothing else: the bus connects when it can, and nodes poll until then. So it is behind a pooler in transaction
 * mode, through which LISTEN hears nothing, unless `listenUrl` leads past it. Needs the package `pg`. Rejects for wrong
 * options and refused credentials.
 */
export async function openPostgresBus(options: PostgresBusOptions = {}): Promise<Bus> {
  checkOptions("openPostgresBus()", options, optionsRule);
  const driver = await loadPg();
  const sendTo = parseTarget(driver, options.url);
  const { schema = sendTo.schema, report } = options;
  const listenUrl = options.listenUrl ?? process.env["PARLEY_LISTEN_URL"] ?? "";
  const hearFrom = listenUrl === "" ? sendTo : parseTarget(driver, listenUrl);
  return openBroadcastBus({
    description: `postgres ${hearFrom.description}`,
    report,
    open: (listener) =>
      openPostgresChannel({ name: channelOf(schema), sendTo, hearFrom }, listener),
    deafness:
      "LISTEN hears nothing, as behind a pooler in transaction mode; set PARLEY_LISTEN_URL to a URL that leads past it",
    isHopeless: (error) => error instanceof Error && hopeless.includes(codeOf(error.cause)),
  });
}

/** Names of channels have 63 bytes at most. */
function channelOf(schema: string): string {
  const isPlain = /^[a-z_][a-z0-9_]{0,55}$/u.test(schema);
  return `parley_${isPlain ? schema : hashOf(schema)}`;
}
