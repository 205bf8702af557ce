import { existsSync } from "node:fs";
import type { Store } from "../../store/internal.js";
import { parseStorePlace } from "./engine-place.js";
import type { StorePlace } from "./engine-place.js";
import { readVariable } from "./environment.js";

/** How a store is opened by its place. */
export interface OpenStoreOptions {
  /** Is told when the store cannot be used, and when it can again. Default: prints it. */
  readonly report?: (notice: Error) => void;
  /** Opens only what is there: creates no file, and leaves the schema of a database as it is. */
  readonly mustExist?: boolean;
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
  const { report, mustExist = false } = options;
  switch (place.engine) {
    case "memory": {
      if (mustExist) throw new Error("a store in memory is of one process; no other can open it");
      const { createMemoryStore } = await import("../../store/memory/internal.js");
      return createMemoryStore();
    }
    case "sqlite": {
      if (mustExist && !existsSync(place.path)) throw new Error(`there is no store ${place.path}`);
      const { openSqliteStore } = await import("../../store/sqlite/internal.js");
      return openSqliteStore({ path: place.path, ...(report && { report }) });
    }
    case "postgres": {
      const { openPostgresStore } = await import("../../store/postgres/internal.js");
      return openPostgresStore({
        url: place.url,
        migrate: !mustExist,
        ...(report && { report }),
      });
    }
  }
}
