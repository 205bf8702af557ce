import { A2AError } from "../protocol/internal.js";
import type { Database } from "./database.js";

/** What a server has to be before anything is written to it. */
export interface ServerDemands {
  /** The schema with the tables. It is made if it is not there. */
  readonly schema: string;
  /**
   * What an acknowledged write has to survive. `disk`: a power failure, because every commit waits for the disk. `process`: the
   * end of any process.
   */
  readonly durability: "disk" | "process";
}

/** What a server says of itself. */
export interface ServerFacts {
  readonly version: number;
  readonly versionName: string;
  readonly encoding: string;
  readonly fsync: string;
  readonly synchronousCommit: string;
  readonly readOnly: string;
  readonly hasSchema: boolean;
  readonly mayCreateSchema: boolean;
  readonly mayUseSchema: boolean;
}

const oldestVersion = 130_000;

/** Refuses a server that cannot keep what it is given, with one line that says what to do. Writes nothing. */
export async function checkServer(database: Database, demands: ServerDemands): Promise<void> {
  const [facts] = await database.read<ServerFacts>({
    text: `SELECT current_setting('server_version_num')::int AS version,
      current_setting('server_version') AS "versionName",
      current_setting('server_encoding') AS encoding,
      current_setting('fsync') AS fsync,
      current_setting('synchronous_commit') AS "synchronousCommit",
      current_setting('transaction_read_only') AS "readOnly",
      n.oid IS NOT NULL AS "hasSchema",
      has_database_privilege(current_database(), 'CREATE') AS "mayCreateSchema",
      coalesce(has_schema_privilege(n.oid, 'USAGE'), false) AS "mayUseSchema"
      FROM (SELECT 1) AS one LEFT JOIN pg_namespace n ON n.nspname = $1`,
    values: [demands.schema],
  });
  const problem = facts && findServerProblem(facts, demands, database);
  if (problem !== undefined) throw refuseDatabase(database, problem);
}

/** The error for a database that cannot be used, and why. */
export function refuseDatabase(
  { description, user }: Pick<Database, "description" | "user">,
  problem: string,
): A2AError {
  const place = `the database ${description} as user "${user}"`;
  return new A2AError("UNAVAILABLE", `cannot use ${place}: ${problem}`);
}

/** What is wrong with a server, and what to do about it. */
export function findServerProblem(
  facts: ServerFacts,
  { schema, durability }: ServerDemands,
  { user }: Pick<Database, "user">,
): string | undefined {
  if (facts.version < oldestVersion) {
    return `it is PostgreSQL ${facts.versionName}; update it to 13 or later`;
  }
  if (facts.encoding !== "UTF8") {
    return `its encoding is ${facts.encoding}; create a database with ENCODING 'UTF8'`;
  }
  if (facts.readOnly === "on") {
    return "it takes no writes (default_transaction_read_only is on); turn that off, or name another one";
  }
  if (durability === "disk") {
    const instead = 'or accept the loss with durability: "process"';
    if (facts.fsync === "off") {
      return `fsync is off, so that a power failure destroys it; set fsync = on in postgresql.conf, ${instead}`;
    }
    if (facts.synchronousCommit === "off") {
      return `synchronous_commit is off, so that a power failure loses acknowledged events; set it to on, ${instead}`;
    }
  }
  if (!facts.hasSchema && !facts.mayCreateSchema) {
    return `there is no schema "${schema}", and this user may not create it; run \`CREATE SCHEMA "${schema}" AUTHORIZATION "${user}"\` as the owner of the database`;
  }
  if (facts.hasSchema && !facts.mayUseSchema) {
    return `this user may not use the schema "${schema}"; run \`GRANT USAGE, CREATE ON SCHEMA "${schema}" TO "${user}"\` as its owner`;
  }
  return undefined;
}
