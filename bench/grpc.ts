/**
 * Measures the gRPC server, as ratios within one run against the official SDK with its in-memory store. Parley runs
 * with its default SQLite store, and with its memory store too. Each server has its own process; the servers take
 * turns in each round, so that a busy machine slows all. The load speaks HTTP/2 with prepared frames and reads only
 * the length of an answer.
 */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { SendMessageRequest } from "a2a-sdk-1.0";
import { A2AService } from "a2a-sdk-1.0/server/grpc";
import { median } from "./compare.js";
import { encodeCall, GrpcConnection } from "./grpc-load.js";
import type { GrpcCall } from "./grpc-load.js";

const rounds = Number(process.env["ROUNDS"] ?? 7);
/** Servers run for days, so the benchmark leaves out their first seconds. */
const warmUpMs = 4000;

interface Server {
  readonly process: ChildProcess;
  readonly port: number;
  readonly connections: readonly GrpcConnection[];
}

interface Load {
  readonly call: GrpcCall;
  readonly path: string;
  readonly connections: number;
  readonly callsEach: number;
  readonly forMs: number;
}

interface Contest extends Load {
  readonly name: string;
  readonly bar: number;
  /** How many units the answer to one call counts for. */
  readonly unitsPerCall: number;
}

const contests: readonly Contest[] = [
  {
    name: "SendMessage answered by a Message, calls",
    ...callOf("SendMessage", "echo Plan a week in Tokyo in May: flights, a quiet hotel."),
    connections: 8,
    callsEach: 8,
    forMs: 1000,
    unitsPerCall: 1,
    bar: 1.5,
  },
  {
    name: "a stream of 100 chunks, chunks",
    ...callOf("SendStreamingMessage", "stream 100"),
    connections: 8,
    callsEach: 8,
    forMs: 2000,
    unitsPerCall: 100,
    bar: 10,
  },
];

/** Prints the ratios. Returns false when a bar is missed. */
export async function benchGrpc(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  const kinds = ["memory", "sqlite", "sdk", "bare"];
  const servers = await Promise.all(kinds.map((kind) => openServer(kind, folder)));
  try {
    let isMet = true;
    for (const contest of contests) {
      isMet = (await compare(contest, servers as [Server, Server, Server, Server])) && isMet;
    }
    return isMet;
  } finally {
    for (const { process: child, connections } of servers) {
      for (const connection of connections) connection.close();
      child.disconnect();
      await once(child, "exit");
    }
    await rm(folder, { recursive: true });
  }
}

async function compare(
  contest: Contest,
  [memory, sqlite, sdk, bare]: readonly [Server, Server, Server, Server],
): Promise<boolean> {
  const servers = [memory, sqlite, sdk, bare];
  for (const server of servers) await measure(server, { ...contest, forMs: warmUpMs });
  const times: Record<"durable" | "memory" | "theirs" | "alone", Measure>[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    process.stderr.write(`${contest.name}: round ${round} of ${rounds} …\n`);
    times.push({
      durable: await measure(sqlite, contest),
      theirs: await measure(sdk, contest),
      memory: await measure(memory, contest),
      alone: await measure(bare, contest),
    });
  }
  const ratioOf = (side: "durable" | "memory"): number =>
    median(times.map((time) => time[side].perSecond / time.theirs.perSecond));
  const told = (side: keyof (typeof times)[number]): string => {
    const perSecond = median(times.map((time) => time[side].perSecond)) * contest.unitsPerCall;
    const cpu = median(times.map((time) => time[side].cpuMicros)) / contest.unitsPerCall;
    return `${perSecond.toFixed(0)}/s, ${cpu.toFixed(1)} µs`;
  };
  const ratio = ratioOf("durable");
  process.stdout.write(
    `${contest.name}: ${told("durable")}; the SDK ${told("theirs")}: ${ratio.toFixed(2)}× ` +
      `(bar ${contest.bar}×, ${ratio >= contest.bar ? "met" : "MISSED"}); ` +
      `in memory ${told("memory")}: ${ratioOf("memory").toFixed(2)}×; ` +
      `without a runtime ${told("alone")}\n`,
  );
  return ratio >= contest.bar;
}

async function openServer(kind: string, folder: string): Promise<Server> {
  const child = fork(new URL("grpc-server.js", import.meta.url), [kind, folder]);
  const [{ port }] = (await once(child, "message")) as [{ readonly port: number }];
  const count = Math.max(...contests.map(({ connections }) => connections));
  const opened = Array.from({ length: count }, () => GrpcConnection.open(port));
  return { process: child, port, connections: await Promise.all(opened) };
}

interface Measure {
  /** Calls answered. */
  readonly perSecond: number;
  /** The server's CPU time for one call. */
  readonly cpuMicros: number;
}

async function measure(server: Server, load: Load): Promise<Measure> {
  const expected = await lengthOfAnswer(server, load);
  const before = await cpuOf(server);
  const start = performance.now();
  let answers = 0;
  const work = server.connections.slice(0, load.connections).flatMap((connection) =>
    Array.from({ length: load.callsEach }, async () => {
      do {
        const bytes = await connection.call(load.call);
        // Ids and times have fixed lengths; numbers may have a digit more or less.
        if (Math.abs(bytes - expected) > expected / 10) {
          throw new Error(`expected an answer of ${expected} bytes, got ${bytes}`);
        }
        answers += 1;
      } while (performance.now() - start < load.forMs);
    }),
  );
  await Promise.all(work);
  const seconds = (performance.now() - start) / 1000;
  const cpuMicros = ((await cpuOf(server)) - before) / answers;
  return { perSecond: answers / seconds, cpuMicros };
}

async function cpuOf({ process: child }: Server): Promise<number> {
  child.send("cpu");
  const [{ cpuMicros }] = (await once(child, "message")) as [{ readonly cpuMicros: number }];
  return cpuMicros;
}

/** Returns the length of a successful answer, read by a full HTTP/2 client. */
async function lengthOfAnswer({ port }: Server, { path, call }: Load): Promise<number> {
  const session = connect(`http://127.0.0.1:${port}`);
  const stream = session.request({
    ":method": "POST",
    ":path": path,
    "content-type": "application/grpc",
    te: "trailers",
    "a2a-version": "1.0",
  });
  let bytes = 0;
  let status: string | string[] | undefined;
  stream.on("data", (chunk: Buffer) => (bytes += chunk.length));
  stream.on("trailers", (trailers) => (status = trailers["grpc-status"]));
  stream.end(call.message);
  await once(stream, "end");
  session.destroy();
  if (status === "0" && bytes > 0) return bytes;
  throw new Error(`${path} ended with ${String(status)} after ${bytes} bytes`);
}

function callOf(method: string, words: string): Pick<Load, "path" | "call"> {
  const message = {
    messageId: "3c59dc04-8e88-4f6a-9b3f-7d1c2e5a9b00",
    role: "ROLE_USER",
    parts: [{ text: words }],
    metadata: { locale: "en-CH" },
  };
  const { requestSerialize } = A2AService.sendMessage;
  const path = `/lf.a2a.v1.A2AService/${method}`;
  return {
    path,
    call: encodeCall(path, requestSerialize(SendMessageRequest.fromJSON({ message }))),
  };
}
