/** The load generator, in a process of its own: the same code and the same bytes for every server. */
import process from "node:process";
import { answerCalls } from "../processes/remote.js";
import { usageCalls } from "../processes/usage.js";
import { Connection } from "./connection.js";
import { sendGrpc } from "./grpc.js";
import type { GrpcPlan } from "./grpc.js";
import { Probe } from "./probe.js";
import { Letter } from "./request.js";
import { send } from "./shapes.js";
import type { LoadPlan } from "./shapes.js";
import { StalledReader } from "./stalled-reader.js";
import { Streams } from "./streams.js";

/** What came of a load. */
export interface Load {
  readonly perSecond: number;
  readonly answers: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  /** The share of a core that the generator itself used. */
  readonly ownShare: number;
}

export interface HttpPlan extends LoadPlan {
  readonly port: number;
  readonly connections: number;
  /** One for all connections, or one for each in turn. */
  readonly requests: readonly string[];
}

const connections = new Map<number, Connection[]>();
const streams = new Map<number, Streams>();
const probes = new Map<number, Probe>();
const readers = new Map<number, StalledReader>();

answerCalls({
  ...usageCalls,
  async http({ port, connections: count, requests, ...plan }: HttpPlan): Promise<Load> {
    const open = await connectionsTo(port, count);
    return measured(() => send(open, (index) => requests[index % requests.length] ?? "", plan));
  },
  async read({ port, request }: { port: number; request: string }): Promise<string> {
    const [connection] = await connectionsTo(port, 1);
    return (await connection?.read(new Letter(request).next())) ?? "";
  },
  grpc: (plan: GrpcPlan): Promise<Load> => measured(() => sendGrpc(plan)),
  async openStreams(plan: { port: number; count: number; request: string }): Promise<void> {
    streams.set(plan.port, await Streams.open(plan.port, plan.count, plan.request));
  },
  mark: ({ port }: { port: number }) => streamsOf(port).mark(),
  more: ({ port, bytes, since }: { port: number; bytes: number; since: readonly number[] }) =>
    streamsOf(port).more(bytes, since),
  ended: ({ port, withinMs }: { port: number; withinMs: number }) =>
    streamsOf(port).ended(withinMs),
  closeStreams({ port }: { port: number }): void {
    streams.get(port)?.close();
    streams.delete(port);
  },
  async stall({ port, request }: { port: number; request: string }): Promise<string> {
    const reader = await StalledReader.open(port, request);
    readers.set(port, reader);
    return reader.begun;
  },
  async unstall({ port }: { port: number }): Promise<void> {
    readers.get(port)?.close();
    readers.delete(port);
  },
  async startProbe({ port, request }: { port: number; request: string }): Promise<void> {
    probes.set(port, await Probe.start(port, request));
  },
  async stopProbe({ port }: { port: number }) {
    return probes.get(port)?.stop();
  },
  /** Forgets a server that has ended. */
  forget({ port }: { port: number }): void {
    for (const connection of connections.get(port) ?? []) connection.close();
    connections.delete(port);
  },
});

function streamsOf(port: number): Streams {
  const found = streams.get(port);
  if (found === undefined) throw new Error(`no streams to port ${port} are open`);
  return found;
}

/** Keeps connections for the next round. */
async function connectionsTo(port: number, count: number): Promise<readonly Connection[]> {
  const open = connections.get(port) ?? [];
  connections.set(port, open);
  while (open.length < count) open.push(await Connection.open(port));
  return open.slice(0, count);
}

async function measured(
  work: () => Promise<{ readonly latencies: readonly number[]; readonly seconds: number }>,
): Promise<Load> {
  const before = process.cpuUsage();
  const { latencies, seconds } = await work();
  const { user, system } = process.cpuUsage(before);
  const sorted = latencies.toSorted((a, b) => a - b);
  return {
    answers: sorted.length,
    perSecond: sorted.length / seconds,
    medianMs: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    ownShare: (user + system) / 1e6 / seconds,
  };
}
