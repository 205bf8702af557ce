import { createInProcessBus } from "../../bus/internal.js";
import type { Bus } from "../../bus/internal.js";
import { parseBusPlace } from "./engine-place.js";
import type { BusPlace, StorePlace } from "./engine-place.js";
import { readVariable } from "./environment.js";
import { storePlace } from "./open-store.js";

/** How a bus is opened by its place. */
export interface OpenBusOptions {
  /** The place of the store whose nodes it connects. Absent: that of `DATABASE_URL`, else `.parley/parley.db`. */
  readonly store?: string;
  /** Is told when wake-ups do not arrive, and when they do again. Default: prints it. */
  readonly report?: (notice: Error) => void;
}

/**
 * The place of the bus that was given, else that of `NATS_URL`, else one that the store has with it: LISTEN/NOTIFY on its
 * database, or a file beside its file.
 */
export function busPlace(given: string | undefined, store: StorePlace | undefined): BusPlace {
  if (given !== undefined) return parseBusPlace(given, "bus");
  if (store?.engine === "memory") return store;
  const url = readVariable("NATS_URL");
  if (url !== undefined) return parseBusPlace(url, "NATS_URL");
  if (store?.engine === "sqlite") return { engine: "file", path: `${store.path}-bus` };
  return store ?? { engine: "memory" };
}

/**
 * Opens the bus at a place: `nats://…`, `tls://…`, `postgres://…` or `memory:`, which is this process alone. Absent: that of
 * the environment variable `NATS_URL`, else the one that belongs to the store. NATS needs the package
 * `@nats-io/transport-node`, PostgreSQL `pg`.
 */
export function openBus(place?: string, options: OpenBusOptions = {}): Promise<Bus> {
  return openBusAt(busPlace(place, storePlace(options.store)), options);
}

export async function openBusAt(
  place: BusPlace,
  { report }: Pick<OpenBusOptions, "report">,
): Promise<Bus> {
  const reporting = report && { report };
  switch (place.engine) {
    case "memory":
      return createInProcessBus();
    case "file": {
      const { openFileBus } = await import("../../bus/file/internal.js");
      return openFileBus({ path: place.path, ...reporting });
    }
    case "nats": {
      const { connectNatsBus } = await import("../../bus/nats/internal.js");
      return connectNatsBus({ url: place.url, ...reporting });
    }
    case "postgres": {
      const { openPostgresBus } = await import("../../bus/postgres/internal.js");
      return openPostgresBus({ url: place.url, ...reporting });
    }
  }
}
