import fc from "fast-check";
import { createInProcessBus } from "../../../src/bus/index.js";
import { A2AError, isInterrupted, isTerminal } from "../../../src/protocol/internal.js";
import { createIdMaker } from "../../../src/server/new-id.js";
import { createMemoryStore } from "../../../src/store/memory/index.js";
import { call, openTestRuntime, sayAndLeave } from "../../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../../support/runtime/open-test-runtime.js";
import { checkStatuses, checkStretches, checkTexts } from "./check-task.js";
import { Follower } from "./follower.js";
import { performing } from "./performance.js";
import { applyEdit, edit, program } from "./program.js";
import { createQuickClock, turn } from "./quick-clock.js";
import { foldOf, recordsOf, textIn, textsOf } from "./records.js";
import { Witness } from "./witness.js";

const leaseMs = 6000;
const suspendForMs = 20_000;
const takeUpMs = 3000;
const stopGraceMs = 100;

const node = fc.nat(1);
const task = fc.nat(1);

const one = <const T>(...values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values);

/** What happens to two nodes over one store. After `edit`, nodes that are opened run the new code. */
const action = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: one("go"), times: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 6, arbitrary: fc.record({ do: one("answer"), node, task }) },
  { weight: 3, arbitrary: fc.record({ do: one("crash"), node }) },
  { weight: 1, arbitrary: fc.record({ do: one("drain"), node }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: one("pause"), node, ms: one(100, takeUpMs + 1500, leaseMs * 2) }),
  },
  { weight: 1, arbitrary: fc.record({ do: one("evict") }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: one("wait"), ms: one(1, 300, 1500, takeUpMs, leaseMs) }),
  },
  { weight: 3, arbitrary: fc.record({ do: one("edit"), task, edit }) },
  { weight: 1, arbitrary: fc.record({ do: one("watch"), node, task, remembers: fc.boolean() }) },
);

/** A case: what the handlers do, and what happens to them. */
export interface Plan {
  readonly programs: readonly (typeof program extends fc.Arbitrary<infer T> ? T : never)[];
  readonly actions: readonly (typeof action extends fc.Arbitrary<infer T> ? T : never)[];
  readonly durable: boolean;
  /** Nodes wake each other. Without it every wake-up is lost. */
  readonly hasBus: boolean;
  /** How many handlers wait on a node at most. */
  readonly maxSuspended: number;
  /** Makes the store slow now and then. Absent: it never is. */
  readonly seed?: number;
}

export const plan: fc.Arbitrary<Plan> = fc.record(
  {
    programs: fc.array(program, { minLength: 1, maxLength: 2 }),
    actions: fc.array(action, { maxLength: 16 }),
    durable: fc.oneof({ weight: 5, arbitrary: one(true) }, { weight: 1, arbitrary: one(false) }),
    hasBus: fc.oneof({ weight: 3, arbitrary: one(true) }, { weight: 1, arbitrary: one(false) }),
    maxSuspended: one(100, 1, 0),
    seed: fc.integer({ min: 1, max: 1_000_000 }),
  },
  { requiredKeys: ["programs", "actions", "durable", "hasBus", "maxSuspended"] },
);

/** Plays a case to its end, and throws what was wrong with it. */
export async function play(given: Plan): Promise<void> {
  const { durable, hasBus, maxSuspended, seed } = given;
  const clock = createQuickClock();
  const store = { ...createMemoryStore({ clock }), isShared: !hasBus };
  const bus = createInProcessBus();
  const newId = createIdMaker(clock);
  const witness = new Witness(store);
  let programs = given.programs;
  let edits = 0;
  let disturbances = 0;
  const opened = new Map<TestRuntime, string>();

  const open = async (): Promise<TestRuntime> => {
    const name = `node ${opened.size}`;
    let id: string | undefined;
    const runtime = await openTestRuntime({
      run: performing(witness, { node: name, programs, id: () => id }),
      // The first id that a runtime takes is its own.
      newId: () => {
        const made = newId();
        id ??= made;
        return made;
      },
      durable,
      store,
      clock,
      bus: hasBus ? bus : createInProcessBus(),
      ...(seed !== undefined && { latency: createLatency(seed) }),
      settings: { leaseMs, suspendForMs, takeUpMs, stopGraceMs, maxSuspended },
    });
    opened.set(runtime, name);
    return runtime;
  };
  const nodes: [TestRuntime, TestRuntime] = [await open(), await open()];
  const at = (index: number): TestRuntime => nodes[index === 0 ? 0 : 1];
  const nameOf = (runtime: TestRuntime): string => opened.get(runtime) ?? "";
  const replace = async (index: number): Promise<void> => {
    nodes[index === 0 ? 0 : 1] = await open();
  };

  const ids: string[] = [];
  const followers: { readonly follower: Follower; node: TestRuntime }[] = [];
  const watch = (taskId: string, through: TestRuntime): void => {
    const follower = new Follower(taskId);
    followers.push({ follower, node: through });
    follower.follow(through.service, false);
  };
  /** Whoever watched through a node that is gone goes on through the other. */
  const moveFollowers = (gone: TestRuntime, remembers = true): void => {
    for (const one of followers) {
      if (one.node !== gone) continue;
      one.node = nodes[0] === gone ? nodes[1] : nodes[0];
      one.follower.follow(one.node.service, remembers);
    }
  };

  const problems: string[] = [];
  const logOf = (id: string) => store.read(id, 0, 100_000);
  let answers = 0;
  /** Answers that have not been taken yet, and through which node they go. */
  const underWay = new Map<string, TestRuntime>();
  /** Answers the open question of a task through a node, after a look at what was told until then. */
  const answer = async (id: string, through: TestRuntime): Promise<void> => {
    const record = await store.loadRecord(id);
    if (record === undefined || !isInterrupted(record.state) || underWay.has(id)) return;
    const log = await logOf(id);
    const asking = witness.of(id).at(-1);
    if (asking !== undefined) problems.push(...checkTexts(log, asking));
    const words = textIn(foldOf(log)?.status.message?.parts);
    answers += 1;
    const text = `${words.split(" ")[0]}: ${answers}`;
    const sent = through.service.sendMessage(sayAndLeave(text, { taskId: id }), call());
    underWay.set(id, through);
    void sent
      .catch((error: unknown) => {
        // The node was closed meanwhile. The caller tries again, elsewhere.
        if (A2AError.is(error) && error.code === "UNAVAILABLE") return;
        problems.push(`the answer was refused: ${String(error)}`);
      })
      .finally(() => underWay.delete(id));
    await turn();
  };

  for (const [index] of programs.entries()) {
    const sent = at(index).service.sendMessage(sayAndLeave(`${index}`), call());
    await clock.advance(50);
    const { task: made } = await sent;
    if (made === undefined) throw new Error("the handler replied without a task");
    ids.push(made.id);
    watch(made.id, at(1 - index));
  }

  for (const step of given.actions) {
    const id = "task" in step ? ids[step.task % ids.length] : undefined;
    switch (step.do) {
      case "go":
        await witness.letGo(step.times);
        break;
      case "answer":
        if (id !== undefined) await answer(id, at(step.node));
        break;
      case "crash": {
        disturbances += 1;
        const dead = at(step.node);
        dead.freeze();
        witness.setHealth(nameOf(dead), "dead");
        for (const [taskId, through] of underWay) if (through === dead) underWay.delete(taskId);
        await replace(step.node);
        moveFollowers(dead);
        break;
      }
      case "drain": {
        disturbances += 1;
        const leaving = at(step.node);
        const closing = leaving[Symbol.asyncDispose]();
        await closing;
        witness.setHealth(nameOf(leaving), "dead");
        await replace(step.node);
        moveFollowers(leaving);
        break;
      }
      case "pause": {
        disturbances += 1;
        const paused = at(step.node);
        paused.freeze();
        witness.setHealth(nameOf(paused), "paused");
        await clock.advance(step.ms);
        witness.setHealth(nameOf(paused), "alive");
        paused.thaw();
        await turn();
        break;
      }
      case "evict":
        disturbances += 1;
        await clock.advance(suspendForMs + leaseMs);
        break;
      case "wait":
        await clock.advance(step.ms);
        break;
      case "edit":
        edits += 1;
        programs = programs.map((program, index) =>
          index === step.task % programs.length ? applyEdit(program, step.edit) : program,
        );
        break;
      case "watch": {
        const chosen = followers.find(({ follower }) => follower.taskId === id);
        if (chosen === undefined) break;
        chosen.node = at(step.node);
        chosen.follower.follow(chosen.node.service, step.remembers);
        break;
      }
    }
  }

  // Everybody comes to rest: nobody is held back, and every question is answered.
  witness.letAllGo();
  const isOpen = async (id: string): Promise<boolean> =>
    !isTerminal((await store.loadRecord(id))?.state ?? "TASK_STATE_UNSPECIFIED");
  for (let round = 0; round < 400; round += 1) {
    await clock.advance(round % 10 === 9 ? leaseMs : 200);
    for (const id of ids) await answer(id, at(round));
    if (!(await anyOf(ids, isOpen))) break;
  }
  // Whoever watches a node that nobody wakes sees the end with its next poll: each second without a bus, within 30 seconds
  // with one. A node that crashed between its write and its wake-up has woken nobody.
  await clock.advance(hasBus ? 31_000 : 2000);
  for (let turns = 0; turns < 10; turns += 1) await turn();

  for (const id of ids) {
    const log = await logOf(id);
    const note = (problem: string): void => void problems.push(`${id}: ${problem}`);
    const found = foldOf(log);
    const state = found?.status.state.slice(11);
    const activations = witness.of(id);
    const last = activations.at(-1);
    // A plain agent's task fails when its process dies in the middle of it.
    const words = textIn(found?.status.message?.parts);
    const wasClosed = !durable && disturbances > 0 && words.includes("stopped before it was done");
    if (found === undefined || !isTerminal(found.status.state)) note(`is ${state}, and stays so`);
    else if (last?.end !== state && !wasClosed) note(`is ${state}, expected ${last?.end}`);
    else if (last !== undefined && !wasClosed) {
      checkTexts(log, last).forEach(note);
      checkStretches(log, edits > 0).forEach(note);
      if (edits === 0) checkStatuses(log).forEach(note);
    }
    recordsOf(log);
    // Over a slow store an answer may be taken up too late.
    const isBegunAgain = activations.length > 1 + disturbances;
    if (isBegunAgain && maxSuspended === 100 && seed === undefined) {
      note(`${activations.length} activations after ${disturbances} disturbances`);
    }
    for (const { follower } of followers) {
      if (follower.taskId !== id) continue;
      const stored = spell(textsOf(found));
      const folded = spell(follower.texts);
      if (stored !== folded) note(`a watcher has ${folded}, the store ${stored}`);
      if (follower.state?.slice(11) !== state)
        note(`a watcher has ${follower.state}, not ${state}`);
    }
  }
  problems.push(...witness.problems);
  for (const runtime of opened.keys()) {
    for (const { error } of runtime.reports) {
      if (!/as told|it keeps its answer/.test(String(error)))
        problems.push(`reported: ${String(error)}`);
    }
  }
  for (const { follower } of followers) follower.leave();
  for (const runtime of nodes) await runtime[Symbol.asyncDispose]();
  if (problems.length === 0) return;
  const logs = await Promise.all(ids.map(logOf));
  const lines = logs.flatMap((log) =>
    log.map(({ sequence, event }) => `${sequence} ${JSON.stringify(event)}`),
  );
  throw new Error([...problems, ...lines].join("\n"));
}

function spell(texts: ReadonlyMap<string, string>): string {
  return Array.from(texts, ([artifact, text]) => `${artifact} ${text}`)
    .toSorted()
    .join(", ");
}

async function anyOf(
  ids: readonly string[],
  condition: (id: string) => Promise<boolean>,
): Promise<boolean> {
  for (const id of ids) if (await condition(id)) return true;
  return false;
}

/** A store that now and then takes a turn, by chance that can be repeated. */
function createLatency(seed: number): () => Promise<void> {
  let state = seed;
  return async () => {
    state = (state * 48_271) % 2_147_483_647;
    if (state % 3 === 0) await turn();
  };
}
