/**
 * A thread that measures the p99 of reading a server's card. For each message with a port and a duration, it sends
 * one request after the other and reports the p99. It makes no garbage while it measures: a collection in this
 * thread would count as the server's latency.
 */
import { connect } from "node:net";
import { once } from "node:events";
import { parentPort } from "node:worker_threads";
import { encodeRequest } from "./http-load.js";

const request = encodeRequest("GET", "/.well-known/agent-card.json");
const latencies = new Float64Array(1_000_000);

parentPort?.on("message", (task: { readonly port: number; readonly forMs: number }) => {
  void measure(task.port, task.forMs).then((p99) => parentPort?.postMessage(p99));
});

async function measure(port: number, forMs: number): Promise<number> {
  let received = 0;
  /** The length of an answer, which is always the same. */
  let length = Number.POSITIVE_INFINITY;
  let sent = 0;
  let count = 0;
  let deadline = Number.POSITIVE_INFINITY;
  const buffer = Buffer.alloc(65_536);
  const socket = connect({
    port,
    host: "127.0.0.1",
    noDelay: true,
    onread: {
      buffer,
      callback(bytes) {
        received += bytes;
        if (length === Number.POSITIVE_INFINITY) length = lengthOf(buffer.subarray(0, bytes));
        if (received < length) return true;
        const now = performance.now();
        latencies[count] = now - sent;
        count += 1;
        if (now >= deadline) socket.destroy();
        else ask();
        return true;
      },
    },
  });
  const ask = (): void => {
    received = 0;
    sent = performance.now();
    socket.write(request);
  };
  await once(socket, "connect");
  deadline = performance.now() + forMs;
  ask();
  await once(socket, "close");
  const sorted = latencies.subarray(0, count).sort();
  return sorted[Math.floor(count * 0.99)] ?? Number.NaN;
}

/** Returns the length of an answer, from its first piece, which holds all its headers. */
function lengthOf(start: Buffer): number {
  const text = start.toString("latin1");
  const body = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1]);
  if (Number.isNaN(body)) throw new Error(`expected a card, got ${text.slice(0, 200)}`);
  return text.indexOf("\r\n\r\n") + 4 + body;
}
