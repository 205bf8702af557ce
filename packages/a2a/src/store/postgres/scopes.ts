import type { Database } from "../../postgres/internal.js";
import type { Scope } from "../task-record.js";
import { Batcher } from "./batcher.js";
import { repeat } from "./repeat.js";
import type { Tables } from "./tables.js";

/** How many scopes a node remembers. */
const maxKnown = 20_000;

/** The ids of scopes. A scope is never deleted, so a node may remember its id. */
export class Scopes {
  readonly #known = new Map<string, number>();
  readonly #batcher: Batcher<Scope, number>;

  constructor(database: Database, tables: Tables) {
    this.#batcher = new Batcher(async (scopes) => {
      const values = [
        scopes.map(({ tenant }) => tenant),
        scopes.map(({ subject }) => subject),
        scopes.map(({ agent }) => agent),
      ];
      const names = "unnest($1::text[], $2::text[], $3::text[])";
      return repeat(database, () =>
        database.withSession("write", async (session) => {
          await session.query({
            name: "add-scopes",
            text: `INSERT INTO ${tables.scopes} (tenant, subject, agent)
            SELECT DISTINCT * FROM ${names} ORDER BY 1, 2, 3 ON CONFLICT DO NOTHING`,
            values,
          });
          const rows = await session.query<{ scope: number }>({
            name: "find-scopes",
            text: `SELECT s.scope FROM ${names} WITH ORDINALITY AS r(tenant, subject, agent, ord)
            JOIN ${tables.scopes} s USING (agent, tenant, subject) ORDER BY ord`,
            values,
          });
          return rows.map(({ scope }) => scope);
        }),
      );
    });
  }

  /** The id of a scope, if this node knows it. */
  known({ tenant, subject, agent }: Scope): number | undefined {
    return this.#known.get(JSON.stringify([tenant, subject, agent]));
  }

  /** The id of a scope, which is added if there is none yet. */
  async find({ tenant, subject, agent }: Scope): Promise<number> {
    const key = JSON.stringify([tenant, subject, agent]);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = await this.#batcher.add({ tenant, subject, agent });
    for (const first of this.#known.keys()) {
      if (this.#known.size < maxKnown) break;
      this.#known.delete(first);
    }
    this.#known.set(key, found);
    return found;
  }
}
