import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Task } from "@parley/a2a";
import { checkHistory } from "@parley/a2a/testing";
import { openFolder } from "../support/files/open-folder.js";
import type { Folder } from "../support/files/open-folder.js";
import { findPostgres } from "../support/postgres/find-programs.js";
import { startPostgres } from "../support/postgres/start-postgres.js";
import type { TestPostgres } from "../support/postgres/start-postgres.js";
import { Caller } from "./caller.js";
import { effectsIn, readFinalState, readTraces } from "./final-state.js";
import { interfaces, openCluster } from "./open-cluster.js";
import type { Cluster } from "./open-cluster.js";
import { openWebhook } from "./open-webhook.js";
import { Recorder } from "./recorder.js";

const found = findPostgres();

describe.skipIf(!found.isThere)(`three nodes ${found.name}`, () => {
  let folder: Folder;
  let postgres: TestPostgres;
  let cluster: Cluster;
  let recorder: Recorder;
  let webhook: Awaited<ReturnType<typeof openWebhook>>;
  const watching = new AbortController();
  let ids = 0;

  beforeAll(async () => {
    folder = await openFolder();
    postgres = await startPostgres();
    const store = await postgres.createDatabase();
    // No lease ends by itself, and no cancel gives up on a handler, however busy the machine is.
    cluster = await openCluster({
      folder: folder.path,
      store,
      bus: store,
      leaseMs: 30_000,
      settings: { cancelGraceMs: 60_000 },
    });
    recorder = new Recorder(folder.file("history.jsonl"));
    webhook = await openWebhook(recorder, () => false);
  });

  afterAll(async () => {
    watching.abort();
    await webhook[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
    await postgres.stop();
    await folder[Symbol.asyncDispose]();
  });

  /** A caller of one node, over the interface with this number. */
  async function at(node: number, number = 0): Promise<Caller> {
    const to = interfaces[number % interfaces.length]!;
    const agent = await cluster.connect(to, { node });
    const newId = (): string => `m${(ids += 1)}`;
    const { signal } = watching;
    return new Caller({ agent, recorder, newId, timeoutMs: 120_000, signal });
  }

  /** A task in a state, looked at again and again. */
  async function until(caller: Caller, { id }: Task, state: string): Promise<void> {
    const look = async (): Promise<string | undefined> => (await caller.get(id))?.status.state;
    await expect.poll(look).toBe(`TASK_STATE_${state}`);
  }

  it.each(interfaces.map(([binding, version], number) => [binding, version, number] as const))(
    "stream from B what was created on A and is answered on C, over %s %s",
    async (_, __, number) => {
      const [a, b, c] = [await at(0, number), await at(1, number), await at(2, number)];
      const task = (await a.send({ text: "ask", immediate: true }))!;
      const streaming = b.watch(task.id);
      await until(c, task, "INPUT_REQUIRED");
      const answered = await c.send({ text: "this one", taskId: task.id });
      expect(answered?.status.state).toBe("TASK_STATE_COMPLETED");
      expect((await streaming).outcome).toBe("ended");
    },
  );

  it("abort a handler on its own node when another node cancels its task", async () => {
    const [a, b] = [await at(0), await at(1)];
    const task = (await a.send({ text: "obey", immediate: true }))!;
    const canceled = await b.cancel(task.id);
    expect(canceled?.status.state).toBe("TASK_STATE_CANCELED");
    const aborts = async (): Promise<unknown> =>
      (await readTraces(cluster.traces)).filter(
        (trace) => trace.kind === "aborted" && trace.taskId === task.id,
      );
    await expect.poll(aborts).toMatchObject([{ node: "node-1" }]);
  });

  it("take 200 follow-ups and 20 cancels from elsewhere while the tasks stream", async () => {
    const [a, ...others] = [await at(0), await at(1, 1), await at(2, 2)];
    const tasks = await Promise.all(
      Array.from({ length: 20 }, () => a!.send({ text: "work 1 100000 5", immediate: true })),
    );
    const streaming = Array.from({ length: 4 }, (_, number) =>
      others[number % 2]!.watch(tasks[number]!.id),
    );
    const followUps = tasks.map(async (task, number) => {
      const answers: (Task | undefined)[] = [];
      for (let nth = 0; nth < 10; nth += 1) {
        const caller = others[(number + nth) % 2]!;
        answers.push(await caller.send({ text: `${nth}`, taskId: task!.id, immediate: true }));
      }
      return answers.filter((answer) => answer !== undefined).length;
    });
    const stuck = (await Promise.all(followUps)).reduce((sum, count) => sum + count, 0);
    const cancels = await Promise.all(
      tasks.map((task, number) => others[number % 2]!.cancel(task!.id)),
    );
    const canceled = cancels.filter((task) => task?.status.state === "TASK_STATE_CANCELED");
    expect([stuck, canceled.length]).toEqual([200, 20]);
    await Promise.all(streaming);
  });

  it("make one task of one idempotency key, whichever nodes it reaches at once", async () => {
    const callers = await Promise.all([0, 1, 2].map((node) => at(node)));
    const text = "work 1 2 1";
    const answers = await Promise.all(
      callers.map((caller) => caller.send({ text, key: "same", immediate: true })),
    );
    const again = await callers[1]!.send({ text, key: "same" });
    const taskIds = [...answers, again].flatMap((task) => (task ? [task.id] : []));
    expect(new Set(taskIds).size).toBe(1);
    expect(again?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  it("send push notifications of a run on A to what was configured on B", async () => {
    const [a, b] = [await at(0), await at(1)];
    const task = (await a.send({ text: "ask", immediate: true }))!;
    await b.configure(task.id, "late", webhook.urlFor("late"));
    await until(b, task, "INPUT_REQUIRED");
    await a.send({ text: "this one", taskId: task.id });
    const last = async (): Promise<unknown> => recorder.arrivals.at(-1)?.sequence;
    const store = await cluster.openStore();
    const ended = (await store.loadRecord(task.id))?.sequence;
    await store.close();
    await expect.poll(last).toBe(ended);
  });

  it("resume a stream on another node after the last event that a watcher has seen", async () => {
    const agents = await Promise.all(
      [0, 1, 2].map((node) => cluster.connect(interfaces[0]!, { node })),
    );
    const caller = await at(0);
    const task = (await caller.send({ text: "work 3 10 5", immediate: true }))!;
    const stream = recorder.open("over three nodes", task.id);
    for (let turn = 0; stream.outcome === "open"; turn += 1) {
      const resumeAfter = stream.events.at(-1)?.id;
      const call = { version: "1.0", ...(resumeAfter && { resumeAfter }) } as const;
      const { service } = agents[turn % 3]!;
      let read = 0;
      for await (const { response, sequence } of service.subscribeToTask({ id: task.id }, call)) {
        recorder.see(stream, response, sequence);
        const state = response.statusUpdate?.status.state;
        if (state === "TASK_STATE_COMPLETED") stream.outcome = "ended";
        read += 1;
        if (read === 3) break;
      }
    }
    expect(stream.events.length).toBeGreaterThan(30);
  });

  it("leave nothing to complain about", async () => {
    const store = await cluster.openStore();
    const traces = await readTraces(cluster.traces);
    const { leaseMs } = cluster;
    const end = await readFinalState(store, traces, { leaseMs, calls: recorder.calls });
    await store.close();
    expect(checkHistory(recorder.history(end, effectsIn(traces)))).toEqual([]);
    expect(recorder.calls.filter(({ outcome }) => outcome !== "answered")).toEqual([]);
  });
});
