/**
 * The uses after which a statement is prepared anew. The server keeps the plan that it made when tables were tiny, and reads
 * whole tables with it when they have grown. Whatever ran this often runs on tables of another size.
 */
const renewals = [16, 128, 1024, 8192];

export interface PreparedName {
  /** The name on the server. */
  readonly name: string;
  /** The former name, which is of no more use. */
  readonly outdated?: string;
}

/** The names under which one connection has prepared its statements. */
export class PreparedNames {
  readonly #uses = new Map<string, number>();

  /** The name for the next use of a statement. */
  next(statement: string): PreparedName {
    const uses = this.#uses.get(statement) ?? 0;
    this.#uses.set(statement, uses + 1);
    const generation = renewals.filter((limit) => limit <= uses).length;
    const name = `${statement}_${generation}`;
    return renewals.includes(uses)
      ? { name, outdated: `${statement}_${generation - 1}` }
      : { name };
  }
}
