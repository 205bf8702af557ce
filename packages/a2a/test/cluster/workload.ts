import { setTimeout as sleep } from "node:timers/promises";
import { isSettled } from "../../src/protocol/internal.js";
import type { Task } from "@parley/a2a";
import type { Caller, Sending } from "./caller.js";
import type { Chance } from "./chance.js";

export interface WorkloadOptions {
  /** Callers of the durable agent, over all interfaces. */
  readonly callers: readonly Caller[];
  /** Callers of the agent whose handlers cannot be repeated. */
  readonly plainCallers: readonly Caller[];
  readonly chance: Chance;
  /** Where push notifications of a configuration go. */
  readonly hookFor: (configId: string) => string;
  /** How many conversations go on at the same time. */
  readonly concurrency: number;
}

/** What one conversation has at hand. */
interface Scene {
  readonly chance: Chance;
  readonly caller: () => Caller;
  readonly hookFor: (configId: string) => string;
  readonly name: string;
}

type Scenario = (scene: Scene) => Promise<void>;

export interface Workload {
  /** Resolves when the last conversation has ended. */
  readonly ended: Promise<void>;
  /** How many conversations were begun. */
  readonly begun: number;
  /** Those that go on, each with what it is about. */
  readonly open: ReadonlySet<string>;
}

/** Talks with the agents until it is told to stop. */
export function beginWorkload(options: WorkloadOptions, signal: AbortSignal): Workload {
  const { callers, plainCallers, chance, hookFor, concurrency } = options;
  let begun = 0;
  const open = new Set<string>();
  const talk = async (worker: number): Promise<void> => {
    for (let turn = 0; !signal.aborted; turn += 1) {
      const name = `${worker}.${turn}`;
      const own = chance.fork(name);
      const among = own.is(0.15) ? plainCallers : callers;
      const scenario = pickScenario(own);
      const conversation = `${name} (${scenario.name})`;
      begun += 1;
      open.add(conversation);
      await scenario({ chance: own, caller: () => own.pick(among), hookFor, name });
      open.delete(conversation);
    }
  };
  const talks = Array.from({ length: concurrency }, (_, worker) => talk(worker));
  return {
    ended: Promise.all(talks).then(() => undefined),
    get begun() {
      return begun;
    },
    open,
  };
}

function pickScenario(chance: Chance): Scenario {
  const scenarios = [
    long,
    long,
    streamed,
    streamed,
    blocking,
    question,
    canceled,
    pushed,
    listening,
  ];
  return chance.pick(scenarios);
}

/** Sends a message until it is answered: with a key, so that repeated calls lead to one task. */
async function persist({ caller, name }: Scene, sending: Sending): Promise<Task | undefined> {
  const messageId = `${name}-${sending.text.split(" ")[0]}-${crypto.randomUUID().slice(0, 8)}`;
  const key = `key-${messageId}`;
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const task = await caller().send({ messageId, key, ...sending });
    if (task !== undefined) return task;
    await sleep(250);
  }
  return undefined;
}

/** A stream with other watchers, follow-ups and perhaps a cancel, each from wherever the proxy leads. */
async function streamed(scene: Scene): Promise<void> {
  const { chance, caller } = scene;
  const text = `work ${1 + chance.below(3)} ${3 + chance.below(15)} ${5 + chance.below(40)}`;
  const begun = await persist(scene, { text, immediate: true });
  if (begun === undefined) return;
  const { id: taskId } = begun;
  const watchers = Array.from({ length: 1 + chance.below(2) }, () => caller().watch(taskId));
  for (let number = chance.below(4); number > 0; number -= 1) {
    await sleep(chance.below(60));
    await caller().send({ text: `follow-up ${number}`, taskId, immediate: true });
    if (chance.is(0.5)) await caller().get(taskId);
  }
  if (chance.is(0.15)) await caller().cancel(taskId);
  await Promise.all(watchers);
  await caller().get(taskId);
}

/** Works for longer than a node that has fallen silent keeps its tasks. */
async function long(scene: Scene): Promise<void> {
  const { chance, caller } = scene;
  const text = `work ${4 + chance.below(4)} 12 ${60 + chance.below(60)}`;
  const begun = await persist(scene, { text, immediate: true });
  if (begun === undefined) return;
  const watching = caller().watch(begun.id);
  await sleep(chance.below(3000));
  await caller().send({ text: "follow-up", taskId: begun.id, immediate: true });
  await watching;
  await caller().get(begun.id);
}

async function blocking(scene: Scene): Promise<void> {
  const { chance, caller } = scene;
  const text = `work ${1 + chance.below(2)} ${1 + chance.below(6)} ${chance.below(30)}`;
  if (chance.is(0.5)) await caller().stream({ text });
  else await persist(scene, { text });
}

async function question(scene: Scene): Promise<void> {
  const { caller, chance } = scene;
  const begun = await persist(scene, { text: "ask" });
  if (begun === undefined) return;
  const task = isSettled(begun.status.state) ? begun : await untilSettled(scene, begun.id);
  if (task?.status.state !== "TASK_STATE_INPUT_REQUIRED") return;
  const answer = { text: `answer ${chance.below(1000)}`, taskId: task.id };
  if (chance.is(0.5)) {
    const watching = caller().watch(task.id);
    await persist(scene, answer);
    await watching;
  } else await caller().stream(answer);
  await caller().get(task.id);
}

async function canceled(scene: Scene): Promise<void> {
  const { chance, caller } = scene;
  const begun = await persist(scene, { text: "obey", immediate: true });
  if (begun === undefined) return;
  const watching = caller().watch(begun.id);
  await sleep(chance.below(100));
  for (let attempt = 0; attempt < 30; attempt += 1) {
    await caller().cancel(begun.id);
    const task = await caller().get(begun.id);
    if (task !== undefined && isSettled(task.status.state)) break;
    await sleep(250);
  }
  await watching;
}

async function pushed(scene: Scene): Promise<void> {
  const { chance, caller, hookFor, name } = scene;
  const id = `hook-${name}-${crypto.randomUUID().slice(0, 8)}`;
  const push = { id, url: hookFor(id) };
  const text = `work ${1 + chance.below(2)} 3 20`;
  const begun = await persist(scene, { text, immediate: true, push });
  if (begun === undefined) return;
  const later = `late-${id}`;
  if (chance.is(0.3)) await caller().configure(begun.id, later, hookFor(later));
  await untilSettled(scene, begun.id);
}

/** Messages that the handler takes while it works. */
async function listening(scene: Scene): Promise<void> {
  const { caller } = scene;
  const begun = await persist(scene, { text: "listen 2", immediate: true });
  if (begun === undefined) return;
  const watching = caller().watch(begun.id);
  await persist(scene, { text: "one", taskId: begun.id, immediate: true });
  await persist(scene, { text: "two", taskId: begun.id, immediate: true });
  await watching;
}

/** Looks at a task until it has settled, or is nowhere to be found. */
async function untilSettled({ caller }: Scene, taskId: string): Promise<Task | undefined> {
  let misses = 0;
  for (let attempt = 0; attempt < 200 && misses < 30; attempt += 1) {
    const task = await caller().get(taskId);
    misses = task === undefined ? misses + 1 : 0;
    if (task !== undefined && isSettled(task.status.state)) return task;
    await sleep(250);
  }
  return undefined;
}
