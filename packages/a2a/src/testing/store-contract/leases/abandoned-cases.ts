import type { Store } from "../../../store/internal.js";
import { assert, assertEqual, countOutcomes } from "../../assert.js";
import { assertConflict } from "../assert-conflict.js";
import {
  ada,
  agent,
  all,
  appendNext,
  bob,
  changeState,
  chunk,
  createTask,
  leaseMs,
  nodeInfo,
  range,
  recordOf,
  statusChanged,
  storedStates,
} from "../samples.js";
import type { StoreStatements } from "../store-bench.js";

/** Claims what is abandoned and returns the ids, sorted. A claimer without a lease leaves them abandoned. */
export async function claimAll(store: Store, node: string): Promise<string[]> {
  const claimed = await store.claimAbandoned(agent, node, all);
  return claimed.map(({ taskId }) => taskId).toSorted();
}

export const abandonedCases: StoreStatements = {
  "a node claims the tasks that should be worked on and are under no live node, nor its own":
    async ({ store, another }) => {
      for (const node of ["alive", "released"]) await store.renewNode(node, leaseMs, nodeInfo);
      await store.releaseNode("released");
      const abandoned: string[] = [];
      for (const state of storedStates) {
        for (const node of ["alive", "released", "unknown", null, "claimer"]) {
          const taskId = `${state} ${node}`;
          await createTask(store, taskId, { state }, { node });
          const active = state === "TASK_STATE_SUBMITTED" || state === "TASK_STATE_WORKING";
          if (active && node !== "alive" && node !== "claimer") abandoned.push(taskId);
        }
      }
      const claimed = await store.claimAbandoned(agent, "claimer", all);
      assertEqual(
        claimed.toSorted((left, right) => (left.taskId < right.taskId ? -1 : 1)),
        abandoned.toSorted().map((taskId) => ({
          taskId,
          epoch: 2,
          sequence: 1,
          // Its node has handed it over.
          ...(taskId.endsWith("null") && { isHandedOver: true }),
        })),
        "the claimed tasks",
      );
      assertEqual(await claimAll(store, "claimer"), [], "what is left");
      for (const taskId of abandoned) {
        const { node, epoch, sequence } = await recordOf(await another(), taskId);
        assertEqual([node, epoch, sequence], ["claimer", 2, 1], "node, epoch and sequence");
      }
      const own = ["TASK_STATE_SUBMITTED claimer", "TASK_STATE_WORKING claimer"];
      const held = await store.listHeld(agent, "claimer");
      assertEqual(held.toSorted(), [...abandoned, ...own].toSorted(), "what it holds");
      assertEqual((await recordOf(store, own[0] ?? "")).epoch, 1, "the epoch of its own");
    },

  "a claimed task comes with its epoch and the end of its log, and is the claimer's alone": async ({
    store,
  }) => {
    await createTask(store, "t1", {}, { node: "dead", epoch: 4 });
    await appendNext(store, "t1", { events: [chunk("a"), chunk("b")] });
    const claimed = await store.claimAbandoned(agent, "n1", all);
    assertEqual(claimed, [{ taskId: "t1", epoch: 5, sequence: 3 }], "the claimed task");
    const next = { taskId: "t1", expectedSequence: 3, events: [chunk("c")] };
    await assertConflict(store, { ...next, epoch: 4 }, "an append under the old epoch");
    assertEqual((await store.append({ ...next, epoch: 5 })).sequence, 4, "the claimer's");
  },

  "abandoned tasks are claimed by agent, up to the limit": async ({ store }) => {
    await store.renewNode("n1", leaseMs, nodeInfo);
    for (const number of range(5)) await createTask(store, `t${number}`);
    await createTask(store, "other", { agent: "weather" });
    const counts = [];
    for (const _ of range(3)) counts.push((await store.claimAbandoned(agent, "n1", 3)).length);
    assertEqual(counts, [3, 2, 0], "how many each call claimed");
    assertEqual((await store.listHeld(agent, "n1")).length, 5, "how many there are");
    assertEqual(await store.claimAbandoned("nobody", "n1", all), [], "an unknown agent's");
    const others = await store.claimAbandoned("weather", "n1", all);
    assertEqual(
      others,
      [{ taskId: "other", epoch: 2, sequence: 1, isHandedOver: true }],
      "another agent's",
    );
  },

  "a claim leaves the tasks of the callers that it names, in every tenant, and takes those of others":
    async ({ store }) => {
      const owners = [ada, bob, { tenant: "", subject: ada.subject }, { tenant: "", subject: "" }];
      for (const [number, owner] of owners.entries()) {
        for (const node of ["dead", null]) {
          await createTask(store, `${number} ${node}`, { owner }, { node });
        }
      }
      const claimBut = async (...exceptSubjects: string[]) => {
        const claimed = await store.claimAbandoned(agent, "n1", all, { exceptSubjects });
        return claimed.map(({ taskId }) => taskId).toSorted();
      };
      const its = (number: number) => [`${number} dead`, `${number} null`];
      assertEqual(await claimBut(ada.subject, "", "nobody"), its(1), "those of the others");
      assertEqual(await claimBut(ada.subject), its(3), "those of anonymous callers");
      assertEqual(await claimBut(), [...its(0), ...its(2)], "what is left");
    },

  "a claim of what was released leaves the tasks of nodes whose leases have run out": async ({
    store,
  }) => {
    for (const node of ["live", "silent", "released"]) {
      await store.renewNode(node, node === "silent" ? 0 : leaseMs, nodeInfo);
      await createTask(store, node, {}, { node });
    }
    await store.releaseNode("released");
    await createTask(store, "unknown", {}, { node: "unknown" });
    await createTask(store, "free", {}, { node: null });
    const claimed = await store.claimAbandoned(agent, "n1", all, { onlyReleased: true });
    const ids = claimed.map(({ taskId }) => taskId).toSorted();
    assertEqual(ids, ["free", "released", "unknown"], "what was released");
    assertEqual(await claimAll(store, "n1"), ["silent"], "what a claim of all takes");
  },

  "the tasks of a released node are abandoned at once, and no longer when it is back": async ({
    store,
  }) => {
    for (const node of ["n1", "n2"]) await store.renewNode(node, leaseMs, nodeInfo);
    await createTask(store, "t1", {}, { node: "n1" });
    await createTask(store, "t2", {}, { node: "n2" });
    await store.releaseNode("n1");
    assertEqual(await claimAll(store, "n3"), ["t1"], "the abandoned tasks");
    await appendNext(store, "t1", { node: "n1" });
    await store.renewNode("n1", leaseMs, nodeInfo);
    assertEqual(await claimAll(store, "n4"), [], "the abandoned tasks afterwards");
  },

  "tasks of a claimer without a lease are abandoned again": async ({ store, another }) => {
    await createTask(store, "t1");
    assertEqual(await claimAll(store, "n1"), ["t1"], "what the first claims");
    assertEqual(await claimAll(await another(), "n2"), ["t1"], "what the second claims");
    await store.renewNode("n2", leaseMs, nodeInfo);
    assertEqual(await claimAll(store, "n3"), [], "what the third claims");
    assertEqual((await recordOf(store, "t1")).epoch, 3, "the epoch");
  },

  "a task stops being abandoned when a live node claims it, or it waits, or it ends": async ({
    store,
  }) => {
    await store.renewNode("alive", leaseMs, nodeInfo);
    for (const taskId of ["t1", "t2", "t3", "t4"]) await createTask(store, taskId);
    await store.claim({ taskId: "t1", node: "alive", epoch: 1 });
    await changeState(store, "t2", "TASK_STATE_INPUT_REQUIRED", 2000);
    await changeState(store, "t3", "TASK_STATE_COMPLETED", 2000);
    await appendNext(store, "t4", { node: "alive" });
    assertEqual(await claimAll(store, "n1"), [], "the abandoned tasks");
    await changeState(store, "t2", "TASK_STATE_WORKING", 3000);
    await appendNext(store, "t4", { node: null });
    assertEqual(await claimAll(store, "n2"), ["t2", "t4"], "those to be worked on again");
  },

  "a task that waits for its caller is not abandoned when its node is gone, and can be claimed":
    async ({ store }) => {
      for (const state of ["TASK_STATE_INPUT_REQUIRED", "TASK_STATE_AUTH_REQUIRED"] as const) {
        await createTask(store, state, {}, { node: "dead", epoch: 3 });
        await changeState(store, state, state, 500);
        assertEqual((await recordOf(store, state)).node, "dead", "the node of the waiting task");
        assertEqual(await claimAll(store, "n1"), [], `the abandoned in ${state}`);
        const claim = { taskId: state, node: "n2", epoch: 3, sequence: 2 };
        assertEqual(await store.claim({ ...claim, sequence: 1 }), undefined, "a claim too early");
        assertEqual(await store.claim({ ...claim, epoch: 2 }), undefined, "a claim out of date");
        assertEqual(await store.claim(claim), 4, "the new epoch");
        const { node, sequence, state: stands } = await recordOf(store, state);
        assertEqual([node, sequence, stands], ["n2", 2, state], "node, sequence and state");
        await changeState(store, state, "TASK_STATE_WORKING", 600);
        assertEqual(await claimAll(store, "n3"), [state], "those answered");
        await changeState(store, state, "TASK_STATE_COMPLETED", 700);
      }
    },

  "of nodes that claim at the same time each task goes to one": async ({ store, another }) => {
    const nodes = [store, await another()];
    const claimers = range(10).map((number) => `n${number}`);
    for (const node of claimers) await store.renewNode(node, leaseMs, nodeInfo);
    const tasks = range(60).map((number) => `t${number}`);
    await Promise.all(
      tasks.map((taskId, number) =>
        createTask(store, taskId, {}, { node: number % 3 === 0 ? null : `dead-${number % 3}` }),
      ),
    );
    const owner = new Map<string, string>();
    for (;;) {
      const claimed = await Promise.all(
        claimers.map((node, number) => (nodes[number % 2] ?? store).claimAbandoned(agent, node, 4)),
      );
      if (claimed.flat().length === 0) break;
      for (const [number, its] of claimed.entries()) {
        assert(its.length <= 4, `${its.length} are more than the limit`);
        for (const { taskId, epoch, sequence } of its) {
          assert(!owner.has(taskId), `${taskId} was claimed twice`);
          owner.set(taskId, `n${number}`);
          assertEqual([epoch, sequence], [2, 1], `epoch and sequence of ${taskId}`);
        }
      }
    }
    assertEqual(Array.from(owner.keys()).toSorted(), tasks.toSorted(), "the claimed tasks");
    for (const node of claimers) {
      const its = tasks.filter((taskId) => owner.get(taskId) === node);
      assertEqual(
        (await store.listHeld(agent, node)).toSorted(),
        its.toSorted(),
        `that of ${node}`,
      );
    }
  },

  "of the end of a task and a claim of what is abandoned one wins": async ({ store, another }) => {
    await store.renewNode("n1", leaseMs, nodeInfo);
    for (const number of range(20)) {
      const taskId = `t${number}`;
      await createTask(store, taskId, {}, { node: "dead" });
      const claimer = number % 2 === 0 ? store : await another();
      const [counts, claimed] = await Promise.all([
        countOutcomes([
          store.append({
            taskId,
            expectedSequence: 1,
            epoch: 1,
            events: [statusChanged("TASK_STATE_COMPLETED")],
            status: { state: "TASK_STATE_COMPLETED", at: 2000 },
          }),
        ]),
        claimer.claimAbandoned(agent, "n1", all),
      ]);
      const outcome = claimed.length === 0 ? { ok: 1 } : { CONCURRENT_MODIFICATION: 1 };
      assertEqual(counts, outcome, `the outcome, where ${claimed.length} were claimed`);
    }
  },

  "of a claim by name and a claim of what is abandoned one wins": async ({ store, another }) => {
    const other = await another();
    for (const node of ["n1", "n2"]) await store.renewNode(node, leaseMs, nodeInfo);
    for (const number of range(20)) {
      const taskId = `t${number}`;
      await createTask(store, taskId);
      const [named, claimed] = await Promise.all([
        store.claim({ taskId, node: "n1", epoch: 1 }),
        other.claimAbandoned(agent, "n2", all),
      ]);
      const winners = [named === 2 ? "n1" : undefined, claimed.length === 1 ? "n2" : undefined];
      const { node, epoch } = await recordOf(store, taskId);
      assertEqual(winners.filter(Boolean), [node], "the winner");
      assertEqual(epoch, 2, "the epoch");
    }
  },
};
