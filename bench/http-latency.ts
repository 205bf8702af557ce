/** A thread that asks a server for its card, one request after the other, and tells the p99. */
import { parentPort, workerData } from "node:worker_threads";
import { Connection, encodeRequest } from "./http-load.js";

const { port, forMs } = workerData as { readonly port: number; readonly forMs: number };
const request = encodeRequest("GET", "/.well-known/agent-card.json");
const connection = await Connection.open(port);
const latencies: number[] = [];
const deadline = performance.now() + forMs;
while (performance.now() < deadline) {
  const start = performance.now();
  await connection.exchange(request);
  latencies.push(performance.now() - start);
}
connection.close();
latencies.sort((a, b) => a - b);
parentPort?.postMessage(latencies[Math.floor(latencies.length * 0.99)]);
