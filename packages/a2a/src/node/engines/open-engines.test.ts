import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createInProcessBus } from "../../bus/internal.js";
import { createMemoryStore } from "../../store/memory/internal.js";
import { drainDelayOf } from "./environment.js";
import { busPlace } from "./open-bus.js";
import { planEngines } from "./open-engines.js";
import { openStore, storePlace } from "./open-store.js";

const variables = ["DATABASE_URL", "NATS_URL", "PARLEY_LISTEN_URL", "PARLEY_DRAIN_DELAY_MS"];
beforeEach(() => {
  for (const name of variables) vi.stubEnv(name, undefined);
});
afterEach(() => void vi.unstubAllEnvs());

const database = { engine: "postgres", url: "postgres://db/agents" } as const;
const file = { engine: "sqlite", path: "tasks.db" } as const;

describe("the place of the store", () => {
  it("is a file in this folder, unless DATABASE_URL names another", () => {
    expect(storePlace(undefined)).toEqual({ engine: "sqlite", path: ".parley/parley.db" });
    vi.stubEnv("DATABASE_URL", "");
    expect(storePlace(undefined).engine).toBe("sqlite");
    vi.stubEnv("DATABASE_URL", database.url);
    expect(storePlace(undefined)).toEqual(database);
    expect(storePlace("memory:")).toEqual({ engine: "memory" });
  });

  it("in DATABASE_URL is refused by that name", () => {
    vi.stubEnv("DATABASE_URL", "mysql://db/shop");
    expect(() => planEngines({})).toThrow("DATABASE_URL begins with mysql:");
  });
});

describe("the place of the bus", () => {
  it("belongs to the store, unless NATS_URL or a program names another", () => {
    expect(busPlace(undefined, database)).toEqual(database);
    expect(busPlace(undefined, file)).toEqual({ engine: "file", path: "tasks.db-bus" });
    expect(busPlace(undefined, undefined)).toEqual({ engine: "memory" });
    vi.stubEnv("NATS_URL", "nats://broker:4222");
    const nats = { engine: "nats", url: "nats://broker:4222" };
    expect(busPlace(undefined, database)).toEqual(nats);
    expect(busPlace(undefined, file)).toEqual(nats);
    expect(busPlace(undefined, undefined)).toEqual(nats);
    expect(busPlace("memory:", database)).toEqual({ engine: "memory" });
  });

  it("is this process for a store that no other process has", () => {
    vi.stubEnv("NATS_URL", "nats://broker:4222");
    expect(busPlace(undefined, { engine: "memory" })).toEqual({ engine: "memory" });
    expect(() => planEngines({ store: createMemoryStore() })).not.toThrow();
  });
});

describe("engines", () => {
  it("that were given are used, and left open", async () => {
    const given = { store: createMemoryStore(), bus: createInProcessBus() };
    const closed = [vi.spyOn(given.store, "close"), vi.spyOn(given.bus, "close")];
    const engines = await planEngines(given)();
    expect(engines).toMatchObject(given);
    await engines.close();
    for (const close of closed) expect(close).not.toHaveBeenCalled();
  });

  it("that were opened by their places are closed", async () => {
    const engines = await planEngines({ store: "memory:" })();
    const { store, bus } = engines;
    expect([store.description, bus.isShared]).toEqual(["memory", false]);
    const closed = [vi.spyOn(store, "close"), vi.spyOn(bus, "close")];
    await engines.close();
    for (const one of closed) expect(one).toHaveBeenCalledOnce();
  });
});

it.each([
  ["memory:", "a store in memory is of one process"],
  ["sqlite:/there/is/none.db", "there is no store /there/is/none.db"],
])("a store that must exist is not made: %s", async (place, reason) => {
  await expect(openStore(place, { mustExist: true })).rejects.toThrow(reason);
});

it("the drain delay is that of the program, then of PARLEY_DRAIN_DELAY_MS, then none", () => {
  expect(drainDelayOf(undefined)).toBe(0);
  vi.stubEnv("PARLEY_DRAIN_DELAY_MS", "5000");
  expect([drainDelayOf(undefined), drainDelayOf(0)]).toEqual([5000, 0]);
  vi.stubEnv("PARLEY_DRAIN_DELAY_MS", "5s");
  expect(() => drainDelayOf(undefined)).toThrow(
    'PARLEY_DRAIN_DELAY_MS is "5s"; expected a whole number of milliseconds',
  );
});
