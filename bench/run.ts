/**
 * Runs the suite, or the series and the further benchmarks that are named. `--quick` shows in a minute or two that all of it
 * works. Fails when a goal is missed.
 */
import process from "node:process";
import { benchAuth } from "./auth.js";
import { benchBus } from "./bus.js";
import { benchCluster } from "./cluster.js";
import { benchDecode } from "./decode.js";
import { benchGuard } from "./guard.js";
import { benchPush } from "./push.js";
import { benchStore } from "./store.js";
import { allSeries } from "./suite/all-series.js";
import { runSuite } from "./suite/run-suite.js";
import { benchSuspended } from "./suspended.js";

/** Benchmarks of single parts, which are run by name only. */
const benches: Readonly<Record<string, () => boolean | Promise<boolean>>> = {
  decode: benchDecode,
  store: benchStore,
  suspended: benchSuspended,
  bus: benchBus,
  cluster: benchCluster,
  push: benchPush,
  auth: benchAuth,
  guard: benchGuard,
};

const words = process.argv.slice(2);
const named = words.filter((word) => !word.startsWith("--"));
const isQuick = words.includes("--quick");
const series = allSeries.map(({ name }) => name);
const known = [...series, ...Object.keys(benches)];
const unknown = named.find((name) => !known.includes(name));
if (unknown !== undefined) {
  throw new Error(`there is no benchmark ${unknown}, only ${known.join(", ")}`);
}
const names = named.filter((name) => series.includes(name));
if (names.length > 0 || named.length === 0) {
  if (!(await runSuite({ names, isQuick }))) process.exitCode = 1;
}
for (const name of named) {
  if (benches[name] !== undefined && !(await benches[name]())) process.exitCode = 1;
}
