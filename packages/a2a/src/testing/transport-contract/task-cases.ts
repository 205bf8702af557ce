import { assert, assertEqual, assertRefused } from "../assert.js";
import type { Statements } from "../contract-case.js";
import { collect, openTask, say } from "./transport-bench.js";
import type { TransportBench } from "./transport-bench.js";

/** Reading, listing and canceling tasks, and the extended card. */
export const taskCases: Statements<TransportBench> = {
  "a task is read as it was told": async ({ service, call }) => {
    const { task } = await service.sendMessage(say("count 2"), call);
    assert(task !== undefined, "the answer is no task");
    const read = await service.getTask({ id: task.id }, call);
    assertEqual(read.artifacts, task.artifacts, "the artifacts");
    assertEqual(read.status, task.status, "the status");
    assertEqual(read.contextId, task.contextId, "the context");
  },

  "a task is read with as much history as is asked for": async ({ service, call }) => {
    const { task } = await service.sendMessage(say("ask"), call);
    const read = await service.getTask({ id: task?.id ?? "", historyLength: 1 }, call);
    assertEqual(read.history?.length, 1, "the length of the history");
  },

  "tasks are listed a page at a time, the latest first": async ({ service, call }) => {
    const ids: string[] = [];
    for (let task = 0; task < 3; task += 1) {
      const answer = await service.sendMessage(say("count 1"), call);
      ids.unshift(answer.task?.id ?? "");
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    const first = await service.listTasks({ pageSize: 2 }, call);
    assertEqual(first.totalSize, 3, "the number of all tasks");
    assertEqual(first.pageSize, 2, "the size of a page");
    const { nextPageToken: pageToken } = first;
    const second = await service.listTasks({ pageSize: 2, pageToken }, call);
    assertEqual(second.nextPageToken, "", "the token of the last page");
    const listed = [...first.tasks, ...second.tasks];
    assertEqual(
      listed.map(({ id }) => id),
      ids,
      "the tasks",
    );
    assert(
      listed.every(({ artifacts }) => artifacts === undefined),
      "artifacts are listed unasked",
    );
  },

  "tasks are listed by their state, with artifacts if asked": async (bench) => {
    const { service, call } = bench;
    const { id } = await openTask(bench, "work");
    await service.sendMessage(say("count 1"), call);
    const done = { status: "TASK_STATE_COMPLETED" as const, includeArtifacts: true };
    const { tasks } = await service.listTasks(done, call);
    assertEqual(
      tasks.map((task) => task.artifacts?.length),
      [1],
      "the artifacts of completed tasks",
    );
    await service.cancelTask({ id }, call);
    const { totalSize } = await service.listTasks({ status: "TASK_STATE_CANCELED" }, call);
    assertEqual(totalSize, 1, "the number of canceled tasks");
  },

  "a task under way is canceled": async (bench) => {
    const { service, call } = bench;
    const { id } = await openTask(bench, "work");
    const canceled = await service.cancelTask({ id }, call);
    assertEqual(canceled.status.state, "TASK_STATE_CANCELED", "the state in the answer");
    const { status } = await service.getTask({ id }, call);
    assertEqual(status.state, "TASK_STATE_CANCELED", "the state afterwards");
  },

  "a task that has ended is not canceled": async ({ service, call }) => {
    const { task } = await service.sendMessage(say("count 1"), call);
    const canceling = service.cancelTask({ id: task?.id ?? "" }, call);
    await assertRefused(canceling, "TASK_NOT_CANCELABLE", "canceling");
  },

  "a task that nobody knows is not found": async ({ service, call }) => {
    const id = "nobody-knows-it";
    await assertRefused(service.getTask({ id }, call), "TASK_NOT_FOUND", "reading");
    await assertRefused(service.cancelTask({ id }, call), "TASK_NOT_FOUND", "canceling");
    const watching = collect(service.subscribeToTask({ id }, call));
    await assertRefused(watching, "TASK_NOT_FOUND", "subscribing");
  },

  "the extended card is told": async ({ service, call, version }) => {
    const card = await service.getExtendedAgentCard({}, call);
    assertEqual(card.description, "For those who may see more", "the description");
    assertEqual(card.version, "1.2.3", "the version");
    const versions = card.supportedInterfaces.map(({ protocolVersion }) => protocolVersion);
    assert(versions.includes(version), `no interface of ${version}, only ${versions.join(", ")}`);
  },
};
