import type { Store } from "../../store/internal.js";
import { createMemoryStore } from "../../store/memory/internal.js";
import { openSqliteStore } from "../../store/sqlite/internal.js";
import { parseStorePlace } from "./engine-place.js";
import type { StorePlace } from "./engine-place.js";
import { readVariable } from "./environment.js";
import { loadEngine, postgresEngine } from "./load-engine.js";

/** How a store is opened by its place. */
export interface OpenStoreOptions {
  /** Is told when the store cannot be used, and when it can again. Default: prints it. */
  readonly report?: (notice: Error) => void;
  /** Whether a PostgreSQL database gets the latest schema; true when absent. Without it nothing is written. */
  readonly migrate?: boolean;
}

const defaultPath = ".parley/parley.db";

/** The place of the store that was given, else that of `DATABASE_URL`, else a SQLite file in this folder. */
export function storePlace(given: string | undefined): StorePlace {
  if (given !== undefined) return parseStorePlace(given, "store");
  const url = readVariable("DATABASE_URL");
  return url === undefined
    ? { engine: "sqlite", path: defaultPath }
    : parseStorePlace(url, "DATABASE_URL");
}

/**
 * Opens the store at a place: `postgres://…`, `sqlite:PATH`, the path of a SQLite file, or `memory:`. Absent: that of the
 * environment variable `DATABASE_URL`, else `.parley/parley.db`. PostgreSQL needs the package `pg`.
 */
export function openStore(place?: string, options: OpenStoreOptions = {}): Promise<Store> {
  return openStoreAt(storePlace(place), options);
}

export async function openStoreAt(place: StorePlace, options: OpenStoreOptions): Promise<Store> {
  const { report, migrate } = options;
  switch (place.engine) {
    case "memory":
      return createMemoryStore();
    case "sqlite":
      return openSqliteStore({ path: place.path, ...(report && { report }) });
    case "postgres": {
      const { openPostgresStore } = await loadEngine(
        () => import("../../store/postgres/internal.js"),
        postgresEngine,
      );
      return openPostgresStore({ url: place.url, ...(migrate !== undefined && { migrate }) });
    }
  }
}
