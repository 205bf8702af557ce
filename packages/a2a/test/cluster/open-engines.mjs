/** Opens the store and the bus that a URL names. What is not a URL is the path of a SQLite file, or of a bus beside it. */
export async function openStore(place, report = () => undefined) {
  if (place.startsWith("postgres://")) {
    const { openPostgresStore } = await import("@parley/a2a/store/postgres");
    const { searchParams } = new URL(place);
    const url = withoutOwn(place);
    return openPostgresStore({
      url,
      ...(searchParams.has("patienceMs") && { patienceMs: Number(searchParams.get("patienceMs")) }),
      ...(searchParams.has("prepare") && { prepare: searchParams.get("prepare") === "true" }),
      report: (error) => report(error, "store"),
    });
  }
  const { openSqliteStore } = await import("@parley/a2a/store/sqlite");
  return openSqliteStore({ path: place, report: (error) => report(error, "store") });
}

export async function openBus(place) {
  if (place === undefined) return undefined;
  if (place.startsWith("nats://")) {
    const { connectNatsBus } = await import("@parley/a2a/bus/nats");
    return connectNatsBus({ url: place, cluster: "chaos" });
  }
  if (!place.startsWith("postgres://")) {
    const { openFileBus } = await import("@parley/a2a/bus/file");
    return openFileBus({ path: place });
  }
  const { openPostgresBus } = await import("@parley/a2a/bus/postgres");
  return openPostgresBus({ url: withoutOwn(place) });
}

/** Without the parameters that are for the harness. */
function withoutOwn(place) {
  const url = new URL(place);
  for (const name of ["patienceMs", "prepare"]) url.searchParams.delete(name);
  return url.href;
}
