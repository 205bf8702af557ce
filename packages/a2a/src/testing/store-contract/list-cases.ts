import type { TaskState } from "../../protocol/internal.js";
import type { ListTasksQuery, Owner, Store, StoredTask } from "../../store/internal.js";
import { assert, assertEqual } from "../assert.js";
import {
  ada,
  agent,
  all,
  appendNext,
  bob,
  changeState,
  chunk,
  createTask,
  creation,
  range,
  storedStates,
} from "./samples.js";
import type { StoreStatements } from "./store-bench.js";

async function listIds(store: Store, query: Omit<ListTasksQuery, "limit">): Promise<string[]> {
  const { tasks } = await store.list({ ...query, limit: all });
  return tasks.map(({ record }) => record.taskId);
}

/** Reads all pages. Returns the ids of each. */
async function listPages(
  store: Store,
  query: ListTasksQuery,
  between: (page: readonly string[]) => Promise<void> = async () => {},
): Promise<string[][]> {
  const pages: string[][] = [];
  let after: ListTasksQuery["after"];
  for (;;) {
    const { tasks } = await store.list({ ...query, ...(after && { after }) });
    assert(tasks.length <= query.limit, `a page of ${query.limit} has ${tasks.length} tasks`);
    const last = tasks.at(-1)?.record;
    if (last === undefined) return pages;
    const page = tasks.map(({ record }) => record.taskId);
    pages.push(page);
    after = { statusAt: last.statusAt, taskId: last.taskId };
    await between(page);
    assert(pages.length < 1000, "the pages do not end");
  }
}

/** The total sizes of all kinds of queries: unfiltered, by state, by owner, by context. */
async function totals(store: Store): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  const count = async (name: string, query: Omit<ListTasksQuery, "limit" | "agent">) => {
    const { totalSize } = await store.list({ ...query, agent, limit: 1 });
    if (totalSize > 0) found[name] = totalSize;
  };
  await count("all", {});
  await count("ada", { owner: ada });
  await count("bob", { owner: bob });
  await count("context-1", { contextId: "context-1" });
  await count("since 2000", { statusSince: 2000 });
  for (const state of storedStates) {
    await count(state, { state });
    await count(`ada ${state}`, { owner: ada, state });
  }
  return found;
}

interface Sample {
  readonly taskId: string;
  readonly owner: Owner;
  readonly agent: string;
  readonly contextId: string;
  readonly state: TaskState;
  readonly at: number;
}

function matches(sample: Sample, query: Omit<ListTasksQuery, "limit">): boolean {
  const { owner, contextId, state, statusSince } = query;
  return (
    sample.agent === query.agent &&
    (owner === undefined || sample.owner === owner) &&
    (contextId === undefined || sample.contextId === contextId) &&
    (state === undefined || sample.state === state) &&
    (statusSince === undefined || sample.at >= statusSince)
  );
}

/** All combinations of filters: each is absent or has one of these values. */
const filters: Omit<ListTasksQuery, "limit">[] = [agent, "weather", "nobody"].flatMap((name) =>
  [undefined, ada, bob].flatMap((owner) =>
    [undefined, "context-1", "context-9"].flatMap((contextId) =>
      ([undefined, "TASK_STATE_WORKING", "TASK_STATE_COMPLETED"] as const).flatMap((state) =>
        [undefined, 1001, 1005].map((statusSince) => ({
          agent: name,
          ...(owner && { owner }),
          ...(contextId !== undefined && { contextId }),
          ...(state && { state }),
          ...(statusSince !== undefined && { statusSince }),
        })),
      ),
    ),
  ),
);

export const listCases: StoreStatements = {
  "a list of a tenant has every owner's tasks of it and no other's": async ({ store }) => {
    await createTask(store, "t1", { at: 1 });
    await createTask(store, "t2", { owner: bob, at: 2 });
    await createTask(store, "t3", { owner: { ...ada, tenant: "other" }, at: 3 });
    await createTask(store, "t4", { agent: "weather", at: 4 });
    await createTask(store, "t5", { state: "TASK_STATE_FAILED", contextId: "c", at: 5 });
    const tenant = ada.tenant;
    assertEqual(await listIds(store, { agent, tenant }), ["t5", "t2", "t1"], "all of it");
    assertEqual(await listIds(store, { agent, tenant, contextId: "c" }), ["t5"], "in a context");
    const working = { agent, tenant, state: "TASK_STATE_WORKING", limit: 1 } as const;
    assertEqual(await listPages(store, working), [["t2"], ["t1"]], "page by page");
    assertEqual((await store.list(working)).totalSize, 2, "how many work");
    assertEqual(await listIds(store, { agent, tenant: "no" }), [], "of a tenant without tasks");
  },

  "tasks are listed from the latest status to the earliest, then by id downwards": async ({
    store,
  }) => {
    const tasks = { b: 1000, a: 1000, c: 1000, z: 900, y: 2000, B: 1000, b1: 1000, "-": 1000 };
    for (const [taskId, at] of Object.entries(tasks)) await createTask(store, taskId, { at });
    const expected = ["y", "c", "b1", "b", "a", "B", "-", "z"];
    assertEqual(await listIds(store, { agent }), expected, "the list");
    assertEqual(await listIds(store, { agent, owner: ada }), expected, "the owner's list");
    const pages = await listPages(store, { agent, limit: 3 });
    assertEqual(pages, [expected.slice(0, 3), expected.slice(3, 6), expected.slice(6)], "pages");
  },

  "an empty list has no tasks and a total of 0": async ({ store }) => {
    assertEqual(await store.list({ agent, limit: all }), { tasks: [], totalSize: 0 }, "the list");
  },

  "pages through 250 tasks of one moment have no gap and no duplicate, whatever is written meanwhile":
    async ({ store }) => {
      const ids = range(250).map((number) => `t${number.toString().padStart(3, "0")}`);
      await Promise.all(ids.map((taskId) => createTask(store, taskId, { at: 1000 })));
      const seen = new Set<string>();
      let written = 0;
      const pages = await listPages(store, { agent, owner: ada, limit: 20 }, async (page) => {
        for (const taskId of page) seen.add(taskId);
        const unseen = ids.find((taskId) => !seen.has(taskId));
        written += 1;
        await createTask(store, `new-${written}`, { at: 1000 + written });
        await createTask(store, `another's-${written}`, { owner: bob, at: 1000 });
        await changeState(store, page[0] ?? "", "TASK_STATE_COMPLETED", 2000 + written);
        if (unseen !== undefined) await appendNext(store, unseen);
      });
      assertEqual(pages.flat(), ids.toReversed(), "the tasks of all pages");
    },

  "a page begins after a task that is gone": async ({ store }) => {
    for (const taskId of ["a", "b", "c"]) {
      await createTask(store, taskId, { state: "TASK_STATE_COMPLETED" });
    }
    const after = (statusAt: number, taskId: string) => ({ agent, after: { statusAt, taskId } });
    assertEqual(await listIds(store, after(1000, "b1")), ["b", "a"], "the list after b1");
    assertEqual(await listIds(store, after(1001, "")), ["c", "b", "a"], "the list after 1001");
    assertEqual(await listIds(store, after(1000, "a")), [], "the list after the last");
    assertEqual(await listIds(store, after(999, "z")), [], "the list after 999");
  },

  "a task moves to the front when its status changes, and only then": async ({ store }) => {
    for (const [taskId, at] of Object.entries({ a: 1001, b: 1002, c: 1003 })) {
      await createTask(store, taskId, { at });
    }
    await appendNext(store, "a");
    await store.claim({ taskId: "a", node: "n1", epoch: 1 });
    assertEqual(await listIds(store, { agent }), ["c", "b", "a"], "the list after a mere event");
    await changeState(store, "a", "TASK_STATE_WORKING", 1004);
    assertEqual(await listIds(store, { agent }), ["a", "c", "b"], "after a new moment");
    await changeState(store, "b", "TASK_STATE_COMPLETED", 1005);
    assertEqual(await listIds(store, { agent }), ["b", "a", "c"], "after a new state");
  },

  "filters combine, and each list has its total": async ({ store }) => {
    const samples = range(96).map((number): Sample => ({
      taskId: `t${number}`,
      owner: number % 2 === 0 ? ada : bob,
      agent: number % 3 === 0 ? "weather" : agent,
      contextId: `context-${(number >> 1) % 3}`,
      state: storedStates[(number >> 2) % storedStates.length] ?? "TASK_STATE_WORKING",
      at: 1000 + (number % 7),
    }));
    await Promise.all(samples.map((sample) => createTask(store, sample.taskId, sample)));
    for (const query of filters) {
      const expected = samples
        .filter((sample) => matches(sample, query))
        .toSorted((a, b) => b.at - a.at || (a.taskId < b.taskId ? 1 : -1))
        .map(({ taskId }) => taskId);
      const what = JSON.stringify(query);
      const { tasks, totalSize } = await store.list({ ...query, limit: all });
      const listed = tasks.map(({ record }) => record.taskId);
      assertEqual([listed, totalSize], [expected, expected.length], `list and total of ${what}`);
      const pages = await listPages(store, { ...query, limit: 5 });
      assertEqual(pages.flat(), expected, `the pages of ${what}`);
      const turned = await listPages(store, { ...query, order: "oldest", limit: 5 });
      assertEqual(turned.flat(), expected.toReversed(), `the pages of ${what}, oldest first`);
    }
  },

  "agents are listed as long as they have tasks": async ({ store }) => {
    assertEqual(await store.listAgents(), [], "the agents of an empty store");
    await createTask(store, "t1", { agent: "weather", at: 1 });
    await createTask(store, "t2", { at: 1 });
    await createTask(store, "t3", { owner: bob, state: "TASK_STATE_COMPLETED", at: 1 });
    assertEqual(await store.listAgents(), [agent, "weather"].toSorted(), "the agents");
    await changeState(store, "t2", "TASK_STATE_COMPLETED", 2);
    await store.deleteEnded(10, all);
    assertEqual(await store.listAgents(), ["weather"], "the agents with tasks left");
  },

  "the total is the same on every page": async ({ store }) => {
    await Promise.all(range(10).map((number) => createTask(store, `t${number}`, { at: number })));
    for (const query of [
      {},
      { state: "TASK_STATE_WORKING" },
      { contextId: "context-1" },
    ] as const) {
      for (const statusAt of [100, 5, 0, -1]) {
        const after = { statusAt, taskId: "" };
        const { totalSize } = await store.list({ ...query, agent, after, limit: 3 });
        assertEqual(totalSize, 10, `the total after ${statusAt}`);
      }
    }
  },

  "totals follow every kind of change": async ({ store }) => {
    await createTask(store, "t1", { state: "TASK_STATE_SUBMITTED" });
    await createTask(store, "t2", { owner: bob, contextId: "context-2" });
    await createTask(store, "t3", { agent: "weather" });
    const before = {
      all: 2,
      ada: 1,
      bob: 1,
      "context-1": 1,
      TASK_STATE_SUBMITTED: 1,
      "ada TASK_STATE_SUBMITTED": 1,
      TASK_STATE_WORKING: 1,
    };
    assertEqual(await totals(store), before, "the totals of new tasks");
    await appendNext(store, "t1");
    await store.claim({ taskId: "t1", node: "n1", epoch: 1 });
    await store.append(creation("t1")).catch(() => {});
    await store.append({ taskId: "t1", expectedSequence: 9, epoch: 2, events: [] }).catch(() => {});
    assertEqual(await totals(store), before, "the totals after events and refusals");

    await changeState(store, "t1", "TASK_STATE_WORKING", 2000);
    const { TASK_STATE_SUBMITTED: _, "ada TASK_STATE_SUBMITTED": __, ...others } = before;
    const working = { TASK_STATE_WORKING: 2, "ada TASK_STATE_WORKING": 1, "since 2000": 1 };
    assertEqual(await totals(store), { ...others, ...working }, "the totals after a change");

    await changeState(store, "t1", "TASK_STATE_COMPLETED", 3000);
    await changeState(store, "t2", "TASK_STATE_FAILED", 3000);
    const ended = {
      all: 2,
      ada: 1,
      bob: 1,
      "context-1": 1,
      "since 2000": 2,
      TASK_STATE_COMPLETED: 1,
      "ada TASK_STATE_COMPLETED": 1,
      TASK_STATE_FAILED: 1,
    };
    assertEqual(await totals(store), ended, "the totals after the ends");
    assertEqual(await store.deleteEnded(4000, 1), 1, "the number deleted");
    assertEqual((await totals(store))["all"], 1, "the total after one deletion");
    assertEqual(await store.deleteEnded(4000, all), 1, "the number deleted");
    assertEqual(await totals(store), {}, "the totals after the deletions");
  },

  "a listed task is all of it, as it is loaded": async ({ store }) => {
    const checkpoint = { id: "t1", status: { state: "TASK_STATE_WORKING" } } as const;
    await createTask(store, "t1", {}, { node: "n1" });
    await appendNext(store, "t1", { checkpoint });
    await appendNext(store, "t1");
    await createTask(store, "t2", { owner: bob });
    const { tasks } = await store.list({ agent, limit: all });
    for (const listed of tasks) {
      const loaded = await store.load(listed.record.taskId);
      assertEqual(listed, loaded, `task ${listed.record.taskId}`);
    }
    assertEqual(tasks.length, 2, "the number of tasks");
  },

  "pages of limited bytes have each task once, and at least one each": async ({ store }) => {
    const text = "x".repeat(10_000);
    for (const number of range(5)) {
      const task = { id: `t${number}`, status: { state: "TASK_STATE_COMPLETED" } } as const;
      const message = { messageId: "m", role: "ROLE_AGENT", parts: [{ text }] } as const;
      const events = [...creation(task.id).events, chunk(text)];
      await createTask(store, task.id, { at: number }, { events });
      if (number % 2 === 0) {
        await appendNext(store, task.id, { checkpoint: { ...task, history: [message] } });
      }
    }
    const query = { agent, limit: all };
    const pagesOf = async (maxBytes: number): Promise<string[][]> => {
      const { tasks, isCut } = await store.list({ ...query, maxBytes });
      assertEqual(isCut ?? false, tasks.length < 5, `whether a page of ${maxBytes} is cut`);
      return listPages(store, { ...query, maxBytes });
    };
    const ids = range(5).map((number) => `t${4 - number}`);
    assertEqual(
      await pagesOf(1),
      ids.map((id) => [id]),
      "pages of one byte",
    );
    assertEqual(await pagesOf(25_000), [["t4", "t3"], ["t2", "t1"], ["t0"]], "pages of two tasks");
    assertEqual(await pagesOf(1_000_000), [ids], "a page that is large enough");
  },

  "a list without some content may be made of summaries, and a load never is": async ({
    store,
  }) => {
    const status = { state: "TASK_STATE_COMPLETED" } as const;
    const task = { id: "t1", status };
    await createTask(store, "t1");
    const summary = { task, omits: ["artifacts"] } as const;
    await appendNext(store, "t1", { events: [chunk("a"), chunk("b")], summary });
    await appendNext(store, "t1", { events: [chunk("c")] });
    const list = async (omits: ListTasksQuery["omits"]): Promise<StoredTask | undefined> =>
      (await store.list({ agent, limit: all, ...(omits && { omits }) })).tasks[0];
    const whole = await store.load("t1");
    assertEqual(whole?.checkpoint, undefined, "the checkpoint of a load");
    assertEqual(whole?.tail.length, 4, "the tail of a load");
    assertEqual(await list(undefined), whole, "a list with all content");
    assertEqual(await list(["history"]), whole, "a list without other content");
    for (const omits of [["artifacts"], ["artifacts", "history"]] as const) {
      const { checkpoint = { sequence: 0, task }, tail = [] } = (await list(omits)) ?? {};
      assertEqual(checkpoint.task, task, `the summary without ${omits.join()}`);
      assertEqual(checkpoint.sequence + tail.length, 4, "where its tail ends");
    }
    await appendNext(store, "t1", { checkpoint: { ...task, artifacts: [] } });
    assertEqual((await list(["artifacts"]))?.checkpoint?.sequence, 5, "a checkpoint that is later");
    assertEqual(await list([]), await store.load("t1"), "a list after a checkpoint");
  },
};
