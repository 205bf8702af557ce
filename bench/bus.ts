import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Bus } from "@parley/a2a/bus";
import { openFileBus } from "@parley/a2a/bus/file";
import { connectNatsBus } from "@parley/a2a/bus/nats";
import { openPostgresBus } from "@parley/a2a/bus/postgres";
import { progress, report } from "./measure.js";
import { startNats, startPostgres } from "./start-server.js";

const rounds = 1000;

/** Publishes once and resolves when it is heard. */
type Wake = (sequence: number) => Promise<void>;

/** How long a wake-up takes from one node to another, against the least that the server could do. */
export async function benchBus(): Promise<boolean> {
  return [await benchPostgres(), await benchNats(), await benchFile()].every(Boolean);
}

async function benchPostgres(): Promise<boolean> {
  progress("wake-ups over PostgreSQL");
  await using server = await startPostgres();
  const open = (): Promise<Bus> => openPostgresBus({ url: server.url });
  await using listener = await open();
  await using sender = await open();
  const raw = await openRawNotify(server.url);
  const met = await compare("PostgreSQL", "raw NOTIFY", wakeOver(sender, listener), raw.wake);
  await raw.close();
  return met;
}

async function benchNats(): Promise<boolean> {
  progress("wake-ups over NATS");
  await using server = await startNats();
  const open = (): Promise<Bus> => connectNatsBus({ url: server.url });
  await using listener = await open();
  await using sender = await open();
  const raw = await openRawRequest(server.url);
  const met = await compare("NATS", "raw request", wakeOver(sender, listener), raw.wake);
  await raw.close();
  return met;
}

/** The file has nothing to be compared with but the poll that it saves: once a second. */
async function benchFile(): Promise<boolean> {
  progress("wake-ups over a file");
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  try {
    return await benchFileAt(join(folder, "tasks.db-bus"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function benchFileAt(path: string): Promise<boolean> {
  await using listener = await openFileBus({ path });
  await using sender = await openFileBus({ path });
  const [times = []] = await measure([wakeOver(sender, listener)]);
  return report({
    name: "bus: a wake-up over a file / the 1 s of a poll, one after the other, p50",
    value: percentile(times, 0.5) / 1000,
    unit: "×",
    bar: 0.03,
  });
}

async function compare(server: string, than: string, own: Wake, raw: Wake): Promise<boolean> {
  const [ownTimes = [], rawTimes = []] = await measure([own, raw]);
  return [
    { share: 0.5, name: "p50", bar: 4 },
    { share: 0.99, name: "p99", bar: 10 },
  ]
    .map(({ share, name, bar }) => {
      const [ours, theirs] = [percentile(ownTimes, share), percentile(rawTimes, share)];
      return report({
        name: `bus: a wake-up over ${server} / ${than}, ${name}`,
        value: ours / theirs,
        unit: "×",
        bar,
        note: ` (${ours.toFixed(2)} ms, ${theirs.toFixed(2)} ms)`,
      });
    })
    .every(Boolean);
}

/** Interleaved, so that whatever else the machine does meets all. */
async function measure(wakes: readonly Wake[]): Promise<number[][]> {
  const times = wakes.map((): number[] => []);
  for (let round = 1; round <= rounds; round += 1) {
    for (const [index, wake] of wakes.entries()) {
      const start = performance.now();
      await wake(round);
      if (round > rounds / 10) times[index]?.push(performance.now() - start);
    }
  }
  return times;
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
}

function wakeOver(sender: Bus, listener: Bus): Wake {
  return async (sequence) => {
    await new Promise<void>((resolve) => {
      const { ready, stop } = listener.subscribe("task", (heard) => {
        if (heard < sequence) return;
        stop();
        resolve();
      });
      void ready.then(() => sender.publish("task", sequence));
    });
  };
}

/** Wake-ups as the server itself makes them. */
export interface RawWakes {
  readonly wake: Wake;
  close(): Promise<void>;
}

interface RawClient {
  connect(): Promise<void>;
  query(text: string, values?: readonly unknown[]): Promise<unknown>;
  on(event: "notification", callback: (message: { payload?: string }) => void): void;
  end(): Promise<void>;
}

export async function openRawNotify(url: string): Promise<RawWakes> {
  const require = createRequire(import.meta.resolve("@parley/a2a/bus/postgres"));
  const { Client } = require("pg") as {
    Client: new (options: { connectionString: string }) => RawClient;
  };
  const [ear, mouth] = [
    new Client({ connectionString: url }),
    new Client({ connectionString: url }),
  ];
  await Promise.all([ear.connect(), mouth.connect()]);
  await ear.query("LISTEN raw");
  await mouth.query("SET synchronous_commit = off");
  let heard: ((sequence: number) => void) | undefined;
  ear.on("notification", ({ payload }) => heard?.(Number(payload)));
  return {
    wake: (sequence) =>
      new Promise((resolve, reject) => {
        heard = (found) => {
          if (found === sequence) resolve();
        };
        mouth.query("SELECT pg_notify('raw', $1)", [`${sequence}`]).catch(reject);
      }),
    close: async () => void (await Promise.all([ear.end(), mouth.end()])),
  };
}

interface RawNats {
  subscribe(
    subject: string,
    options: { callback: (error: unknown, message: { respond(): void }) => void },
  ): void;
  request(subject: string, payload: string): Promise<unknown>;
  flush(): Promise<void>;
  close(): Promise<void>;
}

export async function openRawRequest(url: string): Promise<RawWakes> {
  const require = createRequire(import.meta.resolve("@parley/a2a/bus/nats"));
  const { connect } = require("@nats-io/transport-node") as {
    readonly connect: (options: { servers: string }) => Promise<RawNats>;
  };
  const servers = url.replace("nats://", "");
  const [ear, mouth] = [await connect({ servers }), await connect({ servers })];
  ear.subscribe("raw", { callback: (_, message) => message.respond() });
  await ear.flush();
  return {
    wake: async (sequence) => void (await mouth.request("raw", `${sequence}`)),
    close: async () => void (await Promise.all([ear.close(), mouth.close()])),
  };
}
