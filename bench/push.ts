/**
 * Measures push notifications from a SQLite store with full durability, over real sockets to a receiver in a
 * process of its own: how many arrive in a second, against posting the same from memory, and how long after its
 * event each one arrives.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { CallContext } from "@parley/a2a";
import { createPushSender } from "@parley/a2a/node";
import { agent, openRuntime } from "@parley/a2a/server";
import type { Handler, PushSender, Runtime } from "@parley/a2a/server";
import { openSqliteStore } from "@parley/a2a/store/sqlite";
import { median } from "./compare.js";
import { progress, report, time } from "./measure.js";
import type { Measure } from "./measure.js";
import type { Arrivals } from "./push-receiver.js";

const tasksAtOnce = 64;
const chunks = 50;
/** Each task also sends notifications that it was created, works, and is completed. */
const notifications = tasksAtOnce * (chunks + 3);
const streamsAtOnce = 4;
const paced = 100;
const paceMs = 20;
/** The runtime sends this many notifications to one host at a time. */
const lanes = 8;
const call: CallContext = { version: "1.0" };

export async function benchPush(): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), "parley-bench-"));
  const receiver = await openReceiver();
  try {
    const measures = [
      await measureRate(join(folder, "rate.db"), receiver),
      await measureDelay(join(folder, "delay.db"), receiver),
    ];
    return measures.map(report).every((isMet) => isMet);
  } finally {
    receiver.close();
    await rm(folder, { recursive: true });
  }
}

async function measureRate(path: string, receiver: Receiver): Promise<Measure> {
  progress("push notifications to one receiver");
  const rounds: { mine: number; theirs: number }[] = [];
  const outbox = openGate(createPushSender({ allowPrivate: true }));
  await using store = await openSqliteStore({ path });
  await using runtime = await open(store, outbox, async function* () {
    for (let sent = 0; sent < chunks; sent += 1) yield "x".repeat(100);
  });
  for (let round = -1; round < 7; round += 1) {
    outbox.shut();
    const tasks = Array.from({ length: tasksAtOnce }, () => send(runtime, "go", receiver.url));
    await Promise.all(tasks);
    await receiver.reset();
    const mine = await time(async () => {
      outbox.open();
      await receiver.until(notifications);
    });
    while ((await runtime.push.count()).waiting > 0) await sleep(5);
    const bodies = outbox.bodies.slice(-notifications);
    await receiver.reset();
    const theirs = await time(async () => {
      const posting = Array.from({ length: lanes }, async (_, lane) => {
        for (let index = lane; index < bodies.length; index += lanes) {
          const body = JSON.stringify(bodies[index]);
          const answer = await fetch(receiver.url, { method: "POST", body });
          await answer.arrayBuffer();
        }
      });
      await Promise.all(posting);
    });
    if (round >= 0) rounds.push({ mine, theirs });
  }
  const rate = (key: "mine" | "theirs"): string =>
    ((notifications / median(rounds.map((round) => round[key]))) * 1000).toFixed(0);
  return {
    name: "notifications out of the store to one receiver against fetch out of memory",
    value: median(rounds.map(({ mine, theirs }) => mine / theirs)),
    unit: "×",
    bar: 3,
    note: `, ${rate("mine")} a second against ${rate("theirs")}`,
  };
}

async function measureDelay(path: string, receiver: Receiver): Promise<Measure> {
  progress("push notifications after their events");
  await using store = await openSqliteStore({ path });
  const sender = createPushSender({ allowPrivate: true });
  await using runtime = await open(store, sender, async function* () {
    for (let sent = 0; sent < paced; sent += 1) {
      yield `${sent}`;
      await sleep(paceMs);
    }
  });
  const rounds: { mine: Delays; theirs: Delays }[] = [];
  for (let round = -1; round < 5; round += 1) {
    await receiver.reset();
    const shown = new Map<string, number>();
    await Promise.all(streamers(async () => stream(runtime, receiver.url, shown)));
    const mine = delaysOf(shown, await receiver.until(streamsAtOnce * (paced + 3)));
    await receiver.reset();
    const posted = new Map<string, number>();
    await Promise.all(streamers(async () => post(receiver.url, posted)));
    const theirs = delaysOf(posted, await receiver.until(streamsAtOnce * paced));
    if (round >= 0) rounds.push({ mine, theirs });
  }
  const middle = (pick: (round: (typeof rounds)[number]) => number): string =>
    median(rounds.map(pick)).toFixed(1);
  return {
    name: "99th percentile from an event to its notification against a fetch in its place",
    value: median(rounds.map(({ mine, theirs }) => mine.p99 / theirs.p99)),
    unit: "×",
    bar: 10,
    note:
      `, ${middle(({ mine }) => mine.p99)} ms against ${middle(({ theirs }) => theirs.p99)}` +
      `, median ${middle(({ mine }) => mine.p50)} against ${middle(({ theirs }) => theirs.p50)}`,
  };
}

/** Records when a stream has shown each chunk. */
async function stream(runtime: Runtime, url: string, shown: Map<string, number>): Promise<void> {
  const request = {
    message: messageOf("go"),
    configuration: { taskPushNotificationConfig: { url } },
  };
  for await (const { response } of runtime.sendStreamingMessage(request, call)) {
    const { taskId, artifact } = response.artifactUpdate ?? {};
    if (taskId !== undefined) shown.set(`${taskId} ${artifact?.parts[0]?.text ?? ""}`, now());
  }
}

/** Posts the same number of chunks at the same pace. */
async function post(url: string, posted: Map<string, number>): Promise<void> {
  const taskId = crypto.randomUUID();
  for (let sent = 0; sent < paced; sent += 1) {
    const artifact = { artifactId: "answer", parts: [{ text: `${sent}` }] };
    posted.set(`${taskId} ${sent}`, now());
    const body = JSON.stringify({ artifactUpdate: { taskId, artifact } });
    await (await fetch(url, { method: "POST", body })).arrayBuffer();
    await sleep(paceMs);
  }
}

interface Delays {
  readonly p50: number;
  readonly p99: number;
}

function delaysOf(begun: ReadonlyMap<string, number>, { chunks: arrived }: Arrivals): Delays {
  const delays = arrived.map(([name, at]) => at - (begun.get(name) ?? NaN));
  delays.sort((left, right) => left - right);
  const percentile = (share: number): number => delays[Math.floor(delays.length * share)] ?? NaN;
  return { p50: percentile(0.5), p99: percentile(0.99) };
}

function streamers(run: () => Promise<void>): Promise<void>[] {
  return Array.from({ length: streamsAtOnce }, run);
}

/** The time in milliseconds, comparable between processes of one machine. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

/** Makes a sender that holds notifications back while its gate is shut, and remembers what it sent. */
function openGate(sender: PushSender): PushSender & {
  readonly bodies: unknown[];
  open(): void;
  shut(): void;
} {
  const bodies: unknown[] = [];
  let open: () => void = () => undefined;
  let opened = Promise.resolve();
  return {
    ...sender,
    bodies,
    async send(notification, signal) {
      await opened;
      bodies.push(notification.event);
      return sender.send(notification, signal);
    },
    open: () => open(),
    shut() {
      opened = new Promise((resolve) => (open = resolve));
    },
  };
}

interface Receiver {
  readonly url: string;
  reset(): Promise<void>;
  /** Resolves when `count` notifications have arrived. */
  until(count: number): Promise<Arrivals>;
  close(): void;
}

async function openReceiver(): Promise<Receiver> {
  const child = fork(fileURLToPath(new URL("./push-receiver.js", import.meta.url)));
  const [url] = (await once(child, "message")) as [string];
  const ask = async (request: unknown): Promise<unknown> => {
    const answer = once(child, "message");
    child.send(request as object);
    return (await answer)[0] as unknown;
  };
  return {
    url,
    reset: async () => void (await ask({ reset: true })),
    until: async (count) => (await ask({ until: count })) as Arrivals,
    close: () => child.kill(),
  };
}

function open(
  store: Awaited<ReturnType<typeof openSqliteStore>>,
  pushSender: PushSender,
  run: Handler,
): Promise<Runtime> {
  const capabilities = { pushNotifications: true };
  const bench = agent({ name: "Bench", description: "Is measured", capabilities, run });
  // A notification that waits for the gate must not time out.
  return openRuntime({ agent: bench, store, pushSender, settings: { pushTimeoutMs: 60_000 } });
}

async function send(runtime: Runtime, words: string, url: string): Promise<void> {
  const configuration = { taskPushNotificationConfig: { url } };
  await runtime.sendMessage({ message: messageOf(words), configuration }, call);
}

function messageOf(words: string) {
  const messageId = crypto.randomUUID();
  return { messageId, role: "ROLE_USER", parts: [{ text: words }] } as const;
}
