import { createInProcessBus } from "../../bus/internal.js";
import type { Bus } from "../../bus/internal.js";
import { parseBusPlace } from "./engine-place.js";
import type { BusPlace, StorePlace } from "./engine-place.js";
import { readVariable } from "./environment.js";
import { loadEngine, postgresEngine } from "./load-engine.js";
import { storePlace } from "./open-store.js";

/**
 * The place of the bus that was given, else that of `NATS_URL`, else LISTEN/NOTIFY on the database of the store. Other stores
 * need none: processes that share a SQLite file look for news themselves.
 */
export function busPlace(given: string | undefined, store: StorePlace | undefined): BusPlace {
  if (given !== undefined) return parseBusPlace(given, "bus");
  if (store?.engine === "memory") return { engine: "memory" };
  const url = readVariable("NATS_URL");
  if (url !== undefined) return parseBusPlace(url, "NATS_URL");
  return store?.engine === "postgres" ? store : { engine: "memory" };
}

/** What a bus is for. */
export interface OpenBusOptions {
  /** The place of the store whose nodes it connects. Absent: that of `DATABASE_URL`. */
  readonly store?: string;
}

/**
 * Opens the bus at a place: `nats://…`, `tls://…`, `postgres://…` or `memory:`, which is this process alone. Absent: that of
 * the environment variable `NATS_URL`, else LISTEN/NOTIFY on the database of the store. Where a pooler in transaction mode is
 * in front of the database, `PARLEY_LISTEN_URL` is the way around it.
 */
export function openBus(place?: string, options: OpenBusOptions = {}): Promise<Bus> {
  return openBusAt(busPlace(place, storePlace(options.store)));
}

export async function openBusAt(place: BusPlace): Promise<Bus> {
  switch (place.engine) {
    case "memory":
      return createInProcessBus();
    case "nats": {
      const { connectNatsBus } = await loadEngine(() => import("../../bus/nats/internal.js"), {
        engine: "NATS",
        install: "@nats-io/transport-node",
      });
      return connectNatsBus({ url: place.url });
    }
    case "postgres": {
      const { openPostgresBus } = await loadEngine(
        () => import("../../bus/postgres/internal.js"),
        postgresEngine,
      );
      const listenUrl = readVariable("PARLEY_LISTEN_URL");
      return openPostgresBus({ url: place.url, ...(listenUrl !== undefined && { listenUrl }) });
    }
  }
}
