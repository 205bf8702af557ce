/** Runs all benchmarks, or those named. Fails when a bar is missed. */
import process from "node:process";
import { benchAuth } from "./auth.js";
import { benchBus } from "./bus.js";
import { benchCluster } from "./cluster.js";
import { benchDecode } from "./decode.js";
import { benchGrpc } from "./grpc.js";
import { benchGuard } from "./guard.js";
import { benchHttp } from "./http.js";
import { benchPush } from "./push.js";
import { benchRuntime } from "./runtime.js";
import { benchStore } from "./store.js";
import { benchSuspended } from "./suspended.js";

const benches: Readonly<Record<string, () => boolean | Promise<boolean>>> = {
  decode: benchDecode,
  store: benchStore,
  runtime: benchRuntime,
  suspended: benchSuspended,
  bus: benchBus,
  cluster: benchCluster,
  http: benchHttp,
  grpc: benchGrpc,
  push: benchPush,
  auth: benchAuth,
  guard: benchGuard,
};

const named = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const names = named.length > 0 ? named : Object.keys(benches);
for (const name of names) {
  const bench = benches[name];
  if (bench === undefined) {
    throw new Error(`there is no bench ${name}, only ${Object.keys(benches).join(", ")}`);
  }
  if (!(await bench())) process.exitCode = 1;
}
