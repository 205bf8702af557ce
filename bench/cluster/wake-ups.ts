import type { Bus } from "@parley/a2a/bus";
import { connectNatsBus } from "@parley/a2a/bus/nats";
import { openPostgresBus } from "@parley/a2a/bus/postgres";
import { openRawNotify, openRawRequest } from "../bus.js";
import type { RawWakes } from "../bus.js";
import { startNats } from "../start-server.js";
import { call, openNode, replaceMethod, send, text } from "./nodes.js";
import type { Node } from "./nodes.js";
import { percentile, round } from "./row.js";
import type { Row } from "./row.js";

const warmUp = 50;
const events = 500;
const polledEvents = 10;

/** From the commit of an event on one node to its arrival at a watcher of another one, against the bare wake-up. */
export async function measureWakeUps(url: string, natsUrl: string | undefined): Promise<Row[]> {
  const notify = await openRawNotify(url);
  const rows = await compare(url, "NOTIFY", () => openPostgresBus({ url }), notify);
  await notify.close();
  if (natsUrl !== undefined) {
    const nats = await openRawRequest(natsUrl);
    rows.push(
      ...(await compare(url, "NATS request", () => connectNatsBus({ url: natsUrl }), nats)),
    );
    await nats.close();
  }
  return [...rows, await measurePolling(url)];
}

/** Starts NATS where it is installed. */
export async function withNats<Result>(
  work: (url: string | undefined) => Promise<Result>,
): Promise<Result> {
  const server = await startNats().catch(() => undefined);
  try {
    return await work(server?.url);
  } finally {
    await server?.[Symbol.asyncDispose]();
  }
}

async function compare(
  url: string,
  name: string,
  openBus: () => Promise<Bus>,
  raw: RawWakes,
): Promise<Row[]> {
  await using pair = await openPair(url, openBus);
  const [mine, theirs]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < warmUp + events; turn += 1) {
    const took = await pair.next();
    const start = performance.now();
    await raw.wake(turn + 1);
    if (turn < warmUp) continue;
    mine.push(took);
    theirs.push(performance.now() - start);
  }
  return [
    { share: 0.5, label: "p50", atMost: 4 },
    { share: 0.99, label: "p99", atMost: 10 },
  ].map(({ share, label, atMost }) => {
    const [ours, bare] = [percentile(mine, share), percentile(theirs, share)];
    return {
      name: `commit → event on another node / raw ${name}, ${label}`,
      value: ours / bare,
      unit: "×",
      atMost,
      note: `${round(ours)} ms, raw ${round(bare)} ms`,
    };
  });
}

async function measurePolling(url: string): Promise<Row> {
  await using pair = await openPair(url);
  const times: number[] = [];
  for (let turn = 0; turn < polledEvents; turn += 1) times.push(await pair.next());
  return {
    name: "commit → event on another node without a bus, slowest",
    value: Math.max(...times) / 1000,
    unit: " s",
    atMost: 1.1,
    note: `p50 ${round(percentile(times, 0.5))} ms`,
  };
}

interface Pair extends AsyncDisposable {
  /** Lets one node say something, and returns how long after the commit the other node's watcher heard it. */
  next(): Promise<number>;
}

/** A node with a task that speaks when it is told, and a node with a watcher of that task. */
async function openPair(url: string, openBus?: () => Promise<Bus>): Promise<Pair> {
  let speak: () => void = () => undefined;
  let committedAt = 0;
  const open = async (): Promise<Node> =>
    openNode({
      store: url,
      ...(openBus && { bus: await openBus() }),
      async *run({ signal }) {
        signal.addEventListener("abort", () => speak());
        while (!signal.aborted) {
          yield text;
          await new Promise<void>((resolve) => (speak = resolve));
        }
      },
      settings: { stopGraceMs: 0 },
      spy: (store) =>
        replaceMethod(store, "append", async (append) => {
          const appended = await store.append(append);
          committedAt = performance.now();
          return appended;
        }),
    });
  const speaker = await open();
  const watcher = await open();
  const { id } = await send(speaker.runtime, "speak", {
    configuration: { returnImmediately: true },
  });
  const stream = watcher.runtime.subscribeToTask({ id }, call)[Symbol.asyncIterator]();
  await stream.next();
  // What came before the subscription may still arrive.
  await new Promise((resolve) => setTimeout(resolve, 500));
  return {
    async next() {
      const before = committedAt;
      const heard = stream.next();
      speak();
      await heard;
      const now = performance.now();
      // The acknowledgement may be on its way still.
      while (committedAt === before) await new Promise((resolve) => setImmediate(resolve));
      return Math.max(0, now - committedAt);
    },
    async [Symbol.asyncDispose]() {
      await speaker.runtime.cancelTask({ id }, call);
      await stream.return?.();
      await watcher[Symbol.asyncDispose]();
      await speaker[Symbol.asyncDispose]();
    },
  };
}
