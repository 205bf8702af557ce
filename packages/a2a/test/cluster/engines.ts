import { startNats } from "../support/postgres/start-nats.js";
import type { TestNats } from "../support/postgres/start-nats.js";
import { startPgBouncer } from "../support/postgres/start-pgbouncer.js";
import { startPostgres } from "../support/postgres/start-postgres.js";
import type { TestPostgres } from "../support/postgres/start-postgres.js";
import { openFailover } from "./failover.js";
import type { Failover } from "./failover.js";

export type StoreKind = "sqlite" | "postgres";
export type BusKind = "none" | "file" | "postgres" | "nats";

/** The servers behind a cluster. */
export interface Engines extends AsyncDisposable {
  /** The URL of the store; absent: a SQLite file. */
  readonly store?: string;
  readonly bus?: string;
  readonly postgres?: TestPostgres;
  readonly nats?: TestNats;
  readonly failover?: Failover;
}

export interface EngineChoice {
  readonly store: StoreKind;
  readonly bus: BusKind;
  readonly version?: 15 | 18;
}

/** What has to be there. */
export interface EngineNeeds {
  /** The engines without which there is nothing to try. */
  readonly needs?: readonly ("postgres" | "nats" | "pgbouncer" | "standby")[];
  /** Whether the primary waits for its standby. */
  readonly isSynchronous?: boolean;
  /** Settings of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Starts what is needed. */
export async function startEngines(choice: EngineChoice, needed: EngineNeeds): Promise<Engines> {
  const started: AsyncDisposable[] = [];
  const keep = <T extends AsyncDisposable>(engine: T): T => {
    started.unshift(engine);
    return engine;
  };
  const stop = async (): Promise<void> => {
    for (const engine of started.splice(0)) await engine[Symbol.asyncDispose]();
  };
  try {
    return { ...(await start(choice, needed, keep)), [Symbol.asyncDispose]: stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(
  { store: kind, bus: busKind, version = 18 }: EngineChoice,
  { needs = [], isSynchronous = false, settings = {} }: EngineNeeds,
  keep: <T extends AsyncDisposable>(engine: T) => T,
): Promise<Omit<Engines, keyof AsyncDisposable>> {
  const hasNats = needs.includes("nats") || busKind === "nats";
  const nats = hasNats ? keep(await startNats()) : undefined;
  const own = nats && { bus: nats.url, nats };
  if (kind !== "postgres" && needs.every((need) => need === "nats")) {
    return own ?? (busKind === "file" ? { bus: "file" } : {});
  }
  if (needs.includes("standby")) {
    const failover = keep(await openFailover({ isSynchronous }));
    return { store: failover.url, ...own, failover };
  }
  const postgres = keep(await startPostgres({ version, settings }));
  const direct = await postgres.createDatabase();
  const bus = own ?? (busKind === "postgres" ? { bus: direct } : {});
  if (!needs.includes("pgbouncer")) return { store: direct, ...bus, postgres };
  const pgbouncer = keep(await startPgBouncer(direct));
  return { store: `${pgbouncer.url}?prepare=false`, ...bus, postgres };
}
