/**
 * Measures the server, as ratios within one run: against a bare `node:http` server that parses JSON and answers with
 * as many bytes, and against the official SDK with Express and its in-memory store. Each server has its own
 * process; the rounds of all contests take turns, so that a busy machine slows all.
 */
import { fork } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { Worker } from "node:worker_threads";
import { median } from "./compare.js";
import { Connection, countAnswers, encodeRequest } from "./http-load.js";

const rounds = Number(process.env["ROUNDS"] ?? 7);
const connectionCount = 64;
const latencyMs = 1000;
/** Servers run for days, so the benchmark leaves out their first seconds. */
const warmUpMs = 4000;

interface Server {
  readonly port: number;
  readonly process: ChildProcess;
  readonly connections: readonly Connection[];
}

/** A load on a server. */
interface Side {
  readonly server: Server;
  readonly requestOf: (connection: number) => Buffer;
  readonly forMs: number;
}

interface Contest {
  readonly name: string;
  readonly candidate: Side;
  readonly references: readonly (Side & {
    readonly name: string;
    /** The ratio that the candidate must reach; without a bar the ratio is only printed. */
    readonly bar?: number;
  })[];
}

interface Measure {
  readonly perSecond: number;
  readonly cpuMicros: number;
}

interface Row {
  readonly what: string;
  readonly ours: string;
  readonly theirs: string;
  readonly ratio: string;
  readonly bar: string;
  readonly verdict: string;
}

/** Prints the ratios. Returns false when a bar is missed. */
export async function benchHttp(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  const kinds = ["bare", "sdk", "memory", "sqlite"];
  const open = await Promise.all(kinds.map((kind) => openServer(kind, folder)));
  try {
    const [bare, sdk, memory, sqlite] = open as [Server, Server, Server, Server];
    const rows = await compare(await planContests({ bare, sdk, memory, sqlite }), sqlite);
    printTable(rows);
    return rows.every(({ verdict }) => verdict !== "MISSED");
  } finally {
    for (const { process: child, connections } of open) {
      for (const connection of connections) connection.close();
      child.disconnect();
      await once(child, "exit");
    }
    await rm(folder, { recursive: true });
  }
}

async function compare(contests: readonly Contest[], streaming: Server): Promise<readonly Row[]> {
  process.stderr.write("warming up …\n");
  for (const { candidate, references } of contests) {
    for (const side of [candidate, ...references]) await measure({ ...side, forMs: warmUpMs });
  }
  const prober = new Worker(new URL("http-latency.js", import.meta.url));
  for (let round = 0; round < 3; round += 1) await measureCard(prober, streaming);
  const measured = contests.map(() => [] as (readonly Measure[])[]);
  const latencies: { readonly idle: number; readonly busy: number }[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    process.stderr.write(`round ${round} of ${rounds} …\n`);
    for (const [index, { candidate, references }] of contests.entries()) {
      const sides: Measure[] = [];
      for (const side of [candidate, ...references]) sides.push(await measure(side));
      measured[index]?.push(sides);
    }
    latencies.push(await measureCard(prober, streaming));
  }
  await prober.terminate();
  const rows = contests.flatMap((contest, index) => rowsOf(contest, measured[index] ?? []));
  return [...rows, latencyRow(latencies)];
}

async function planContests(servers: {
  readonly bare: Server;
  readonly sdk: Server;
  readonly memory: Server;
  readonly sqlite: Server;
}): Promise<readonly Contest[]> {
  const { bare, sdk, memory, sqlite } = servers;
  const send = (text: string, method = "SendMessage"): (() => Buffer) => {
    const request = rpc(method, { message: messageOf(text) });
    return () => request;
  };
  const echo = send("echo Plan a week in Tokyo in May: flights, a quiet hotel, one good concert.");
  const task = send("task Plan a week in Tokyo");
  const stream = send("stream 100", "SendStreamingMessage");
  await expectAnswers(bare, echo, { holding: '"message"' });
  for (const server of [sdk, memory]) await expectAnswers(server, echo, { holding: '"message"' });
  for (const server of [sdk, sqlite]) {
    await expectAnswers(server, task, { holding: '"TASK_STATE_COMPLETED"' });
    await expectAnswers(server, stream, { holding: '"artifactUpdate"', times: 100 });
  }
  const get = async (server: Server): Promise<(connection: number) => Buffer> => {
    const ids = await Promise.all(server.connections.map((one) => createTask(one, task())));
    const requests = ids.map((id) => rpc("GetTask", { id }));
    return (connection) => requests[connection] ?? Buffer.alloc(0);
  };
  const [getOurs, getTheirs] = [await get(sqlite), await get(sdk)];
  return [
    {
      name: "SendMessage answered by a Message",
      candidate: { server: memory, requestOf: echo, forMs: 500 },
      references: [
        { name: "node:http and JSON", server: bare, requestOf: echo, forMs: 500, bar: 0.65 },
        { name: "the SDK", server: sdk, requestOf: echo, forMs: 500, bar: 4 },
      ],
    },
    {
      name: "SendMessage making a finished task, on SQLite",
      candidate: { server: sqlite, requestOf: task, forMs: 500 },
      references: [
        { name: "the SDK in memory", server: sdk, requestOf: task, forMs: 500, bar: 2.5 },
      ],
    },
    {
      name: "GetTask, on SQLite",
      candidate: { server: sqlite, requestOf: getOurs, forMs: 500 },
      references: [{ name: "the SDK in memory", server: sdk, requestOf: getTheirs, forMs: 500 }],
    },
    {
      name: "a stream of 100 chunks, on SQLite",
      candidate: { server: sqlite, requestOf: stream, forMs: 1000 },
      references: [
        { name: "the SDK in memory", server: sdk, requestOf: stream, forMs: 3000, bar: 10 },
      ],
    },
  ];
}

async function openServer(kind: string, folder: string): Promise<Server> {
  const child = fork(new URL("http-server.js", import.meta.url), [kind, folder]);
  const [{ port }] = (await once(child, "message")) as [{ readonly port: number }];
  const opened = Array.from({ length: connectionCount }, () => Connection.open(port));
  return { port, process: child, connections: await Promise.all(opened) };
}

async function measure({ server, requestOf, forMs }: Side): Promise<Measure> {
  const before = await cpuOf(server);
  const { answers, seconds } = await countAnswers(server.connections, requestOf, forMs);
  const cpu = (await cpuOf(server)) - before;
  return { perSecond: answers / seconds, cpuMicros: cpu / answers };
}

async function cpuOf({ process: child }: Server): Promise<number> {
  child.send("cpu");
  const [{ cpuMicros }] = (await once(child, "message")) as [{ readonly cpuMicros: number }];
  return cpuMicros;
}

/** Measures the p99 of reading the card from an idle server, and from one that streams 5,000 chunks. */
async function measureCard(
  prober: Worker,
  server: Server,
): Promise<{ readonly idle: number; readonly busy: number }> {
  const idle = await cardLatency(prober, server.port);
  const connection = await Connection.open(server.port);
  const request = rpc("SendStreamingMessage", { message: messageOf("stream 5000") });
  let isOver = false;
  const streaming = (async () => {
    while (!isOver) await connection.exchange(request);
  })();
  const busy = await cardLatency(prober, server.port);
  isOver = true;
  await streaming;
  connection.close();
  return { idle, busy };
}

async function cardLatency(prober: Worker, port: number): Promise<number> {
  prober.postMessage({ port, forMs: latencyMs });
  const [p99] = (await once(prober, "message")) as [number];
  return p99;
}

function messageOf(text: string): object {
  const data = { travellers: 2, budget: 4200, currency: "CHF" };
  return {
    messageId: "3c59dc04-8e88-4f6a-9b3f-7d1c2e5a9b00",
    role: "ROLE_USER",
    parts: [{ text }, { data }],
    metadata: { locale: "en-CH" },
  };
}

function rpc(method: string, params: object): Buffer {
  const id = "8f14e45f-ceea-467f-9b3e-1d5f0c7a2b11";
  return encodeRequest("POST", "/", { jsonrpc: "2.0", id, method, params });
}

/** Throws when a server does not give the expected answer, so that the benchmark times no wrong answers. */
async function expectAnswers(
  { connections }: Server,
  requestOf: () => Buffer,
  { holding, times = 1 }: { readonly holding: string; readonly times?: number },
): Promise<void> {
  const answer = (await connections[0]?.exchange(requestOf()))?.toString() ?? "";
  if (answer.split(holding).length - 1 >= times) return;
  throw new Error(`expected ${holding} ${times} times in ${answer.slice(0, 1000)}`);
}

async function createTask(connection: Connection, request: Buffer): Promise<string> {
  const answer = (await connection.exchange(request)).toString();
  return /"task":\{"id":"([^"]+)"/.exec(answer)?.[1] ?? "";
}

function rowsOf({ name, references }: Contest, all: readonly (readonly Measure[])[]): Row[] {
  const describe = (side: number): string => {
    const perSecond = median(all.map((sides) => sides[side]?.perSecond ?? Number.NaN));
    const cpu = median(all.map((sides) => sides[side]?.cpuMicros ?? Number.NaN));
    return `${perSecond.toFixed(0)}/s, ${cpu.toFixed(0)} µs`;
  };
  return references.map(({ name: reference, bar }, index) => {
    const ratio = median(
      all.map((sides) => (sides[0]?.perSecond ?? 0) / (sides[index + 1]?.perSecond ?? 0)),
    );
    return {
      what: `${name}, against ${reference}`,
      ours: describe(0),
      theirs: describe(index + 1),
      ratio: `${ratio.toFixed(2)}×`,
      bar: bar === undefined ? "" : `≥ ${bar}×`,
      verdict: bar === undefined ? "" : ratio >= bar ? "met" : "MISSED",
    };
  });
}

function latencyRow(latencies: readonly { readonly idle: number; readonly busy: number }[]): Row {
  const ratio = median(latencies.map(({ idle, busy }) => busy / idle));
  const micros = (values: readonly number[]): string => `${(median(values) * 1000).toFixed(0)} µs`;
  return {
    what: "p99 of the card while a task streams 5,000 chunks, against idle",
    ours: micros(latencies.map(({ busy }) => busy)),
    theirs: micros(latencies.map(({ idle }) => idle)),
    ratio: `${ratio.toFixed(2)}×`,
    bar: "≤ 3×",
    verdict: ratio <= 3 ? "met" : "MISSED",
  };
}

function printTable(rows: readonly Row[]): void {
  const header: Row = {
    what: "",
    ours: "Parley",
    theirs: "reference",
    ratio: "ratio",
    bar: "bar",
    verdict: "",
  };
  const names = ["what", "ours", "theirs", "ratio", "bar", "verdict"] as const;
  const widths = names.map((name) => Math.max(...[header, ...rows].map((row) => row[name].length)));
  for (const row of [header, ...rows]) {
    const cells = names.map((name, index) => row[name].padEnd(widths[index] ?? 0));
    process.stdout.write(`${cells.join("  ").trimEnd()}\n`);
  }
  process.stdout.write("Medians of the rounds; µs is the server's CPU time for one answer.\n");
}
