import type { Bus } from "../../bus/internal.js";
import type { Store } from "../../store/internal.js";
import type { StorePlace } from "./engine-place.js";
import { busPlace, openBusAt } from "./open-bus.js";
import { openStoreAt, storePlace } from "./open-store.js";

/** Store and bus as a program gives them: opened already, or by their places. */
export interface GivenEngines {
  readonly store?: Store | string | undefined;
  readonly bus?: Bus | string | undefined;
}

/** A store and a bus. */
export interface Engines {
  readonly store: Store;
  readonly bus: Bus;
  /** Closes those that were opened here, and no others. */
  close(): Promise<void>;
}

/** Opens an engine, with somebody who is told when it cannot be used. Without: prints it. */
type Open<Engine> = (report?: (notice: Error, about: "store" | "bus") => void) => Promise<Engine>;

/** Reads the places before anything is opened. Throws for a text that names none. */
export function planEngines({ store, bus }: GivenEngines): Open<Engines> {
  const [place, open] = planStore(store);
  const connect = planBus(bus, place);
  return async (report) => {
    const opened = await open(report);
    const closeStore = async (): Promise<void> => {
      if (typeof store !== "object") await opened.close();
    };
    try {
      const connected = await connect(report);
      const close = async (): Promise<void> => {
        if (typeof bus !== "object") await connected.close();
        await closeStore();
      };
      return { store: opened, bus: connected, close };
    } catch (error) {
      await closeStore();
      throw error;
    }
  };
}

/** Where the store is, if that is known, and how to get it. */
function planStore(given: Store | string | undefined): [StorePlace | undefined, Open<Store>] {
  if (typeof given === "object") {
    return [given.isShared ? undefined : { engine: "memory" }, async () => given];
  }
  const place = storePlace(given);
  return [
    place,
    (report) => openStoreAt(place, report ? { report: (notice) => report(notice, "store") } : {}),
  ];
}

function planBus(given: Bus | string | undefined, store: StorePlace | undefined): Open<Bus> {
  if (typeof given === "object") return async () => given;
  const place = busPlace(given, store);
  return (report) => openBusAt(place, report ? { report: (notice) => report(notice, "bus") } : {});
}
