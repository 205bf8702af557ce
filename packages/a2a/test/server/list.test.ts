import { describe, expect, it } from "vitest";
import type { ListTasksRequest } from "../../src/protocol/internal.js";
import { verifies } from "../spec/verifies.js";
import { call, callBy, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../support/runtime/open-test-runtime.js";
import { artifactText, refusal, taskOf, textIn } from "../support/runtime/answers.js";

const states = ["completed", "failed", "input_required"] as const;

/** Tasks t0, t1, …, a second apart, in turn of each state and of contexts a and b. */
async function openTasks(count: number) {
  const runtime = await openTestRuntime({
    run: async function* ({ text, fail }) {
      yield { status: "On it" };
      yield text;
      const state = states[Number(text.slice(1)) % states.length];
      if (state === "failed") fail("no");
      return state === "input_required" ? { inputRequired: "?" } : undefined;
    },
  });
  for (let index = 0; index < count; index += 1) {
    const contextId = index % 2 === 0 ? "a" : "b";
    await runtime.service.sendMessage(say(`t${index}`, { contextId }), call());
    await runtime.clock.advance(1000);
  }
  return runtime;
}

const names = (indexes: Iterable<number>): string[] => Array.from(indexes, (index) => `t${index}`);

async function list({ service }: TestRuntime, request: ListTasksRequest = {}): Promise<string[]> {
  const { tasks } = await service.listTasks({ ...request, includeArtifacts: true }, call());
  return tasks.map((task) => artifactText(task) ?? "");
}

describe("a list of tasks", () => {
  it("has the latest change first, and says how much there is", async () => {
    verifies("list:order", "list:total-size", "list:default-page-size", "list:response-fields");
    await using runtime = await openTasks(55);
    const page = await runtime.service.listTasks({}, call());
    expect([page.pageSize, page.totalSize, page.tasks.length]).toEqual([50, 55, 50]);
    expect(await list(runtime)).toEqual(
      names(Array.from({ length: 50 }, (_, index) => 54 - index)),
    );
    // Who goes on with a task moves it to the front.
    const { tasks } = await runtime.service.listTasks(
      { status: "TASK_STATE_INPUT_REQUIRED" },
      call(),
    );
    await runtime.service.cancelTask({ id: tasks.at(-1)?.id ?? "" }, call());
    expect((await list(runtime))[0]).toBe("t2");
  });

  it("is told page by page, each task once, also while there are changes", async () => {
    verifies("list:cursor-pagination", "list:last-page", "list:page-size-limit");
    await using runtime = await openTasks(10);
    const seen: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await runtime.service.listTasks(
        { pageSize: 3, includeArtifacts: true, ...(pageToken !== undefined && { pageToken }) },
        call(),
      );
      expect(page.tasks.length).toBeLessThanOrEqual(3);
      seen.push(...page.tasks.map((task) => artifactText(task) ?? ""));
      pageToken = page.nextPageToken;
      // A new task is in front of where the reader is.
      await runtime.service.sendMessage(say("t0", { contextId: "new" }), call());
    } while (pageToken !== "");
    expect(seen).toEqual(names([9, 8, 7, 6, 5, 4, 3, 2, 1, 0]));
  });

  it("ends where it ends, also when the last page is full", async () => {
    verifies("list:next-page-token-present");
    await using runtime = await openTasks(4);
    const first = await runtime.service.listTasks({ pageSize: 2 }, call());
    const second = await runtime.service.listTasks(
      { pageSize: 2, pageToken: first.nextPageToken },
      call(),
    );
    expect(second.tasks).toHaveLength(2);
    expect(second.nextPageToken).toBe("");
    const none = await runtime.service.listTasks({ contextId: "nowhere" }, call());
    expect(none).toEqual({ tasks: [], nextPageToken: "", pageSize: 50, totalSize: 0 });
  });

  it.each<[string, ListTasksRequest, number[]]>([
    ["a context", { contextId: "a" }, [8, 6, 4, 2, 0]],
    ["a state", { status: "TASK_STATE_FAILED" }, [7, 4, 1]],
    ["no particular state", { status: "TASK_STATE_UNSPECIFIED", contextId: "b" }, [7, 5, 3, 1]],
    ["both", { contextId: "a", status: "TASK_STATE_COMPLETED" }, [6, 0]],
  ])("can be of %s", async (_, filter, expected) => {
    verifies("list:filter-context", "list:filter-status");
    await using runtime = await openTasks(9);
    expect(await list(runtime, filter)).toEqual(names(expected));
    const { totalSize } = await runtime.service.listTasks({ ...filter, pageSize: 1 }, call());
    expect(totalSize).toBe(expected.length);
  });

  it("can be of changes since a moment, which is included", async () => {
    verifies("list:filter-timestamp");
    await using runtime = await openTasks(5);
    const { tasks } = await runtime.service.listTasks({}, call());
    const since = tasks[2]?.status.timestamp ?? "";
    expect(await list(runtime, { statusTimestampAfter: since })).toEqual(names([4, 3, 2]));
    const later = new Date(Date.parse(since) + 1).toISOString();
    expect(await list(runtime, { statusTimestampAfter: later })).toEqual(names([4, 3]));
  });

  it("shows as much of each task as was asked for", async () => {
    verifies("task:history-zero");
    verifies("list:omit-artifacts", "list:history-length", "list:include-artifacts");
    await using runtime = await openTasks(1);
    const one = async (request: ListTasksRequest) =>
      (await runtime.service.listTasks(request, call())).tasks[0];
    expect(await one({})).not.toHaveProperty("artifacts");
    expect((await one({ includeArtifacts: true }))?.artifacts).toHaveLength(1);
    const history = async (historyLength?: number) =>
      (await one(historyLength === undefined ? {} : { historyLength }))?.history?.map(({ parts }) =>
        textIn(parts),
      );
    expect(await history()).toEqual(["t0", "On it"]);
    expect(await history(1)).toEqual(["On it"]);
    expect(await one({ historyLength: 0 })).not.toHaveProperty("history");
    const { id } = taskOf(await runtime.service.sendMessage(say("t2"), call()));
    await runtime.service.cancelTask({ id }, call());
  });

  it("includes an empty list of artifacts of a task that has none", async () => {
    await using runtime = await openTestRuntime({ run: () => ({ inputRequired: "?" }) });
    await runtime.service.sendMessage(say("go"), call());
    const { tasks } = await runtime.service.listTasks({ includeArtifacts: true }, call());
    expect(tasks[0]?.artifacts).toEqual([]);
  });

  it("does not change what it shows", async () => {
    verifies("get:idempotent", "get:current-state");
    await using runtime = await openTasks(2);
    const { tasks } = await runtime.service.listTasks({ includeArtifacts: true }, call());
    const before = await Promise.all(tasks.map(({ id }) => runtime.store.load(id)));
    for (const task of tasks)
      expect(await runtime.service.getTask({ id: task.id }, call())).toEqual(task);
    await runtime.service.listTasks({}, call());
    expect(await Promise.all(tasks.map(({ id }) => runtime.store.load(id)))).toEqual(before);
  });
});

describe("a page token", () => {
  it("says nothing about what is in it", async () => {
    await using runtime = await openTasks(3);
    const { nextPageToken } = await runtime.service.listTasks({ pageSize: 1 }, call());
    expect(nextPageToken).toMatch(/^[\w-]+$/);
  });

  it.each<[string, ListTasksRequest, string]>([
    ["another context", { contextId: "a" }, "ann"],
    ["another state", { status: "TASK_STATE_FAILED" }, "ann"],
    ["another moment", { statusTimestampAfter: "2026-01-01T00:00:00.000Z" }, "ann"],
    ["another caller", {}, "bob"],
  ])("is good for the list it was made for, not for %s", async (_, filter, by) => {
    await using runtime = await openTestRuntime({ run: () => ({ inputRequired: "?" }) });
    const ann = callBy("ann");
    for (let count = 0; count < 3; count += 1) await runtime.service.sendMessage(say("go"), ann);
    const { nextPageToken: pageToken } = await runtime.service.listTasks({ pageSize: 1 }, ann);
    const error = await refusal(runtime.service.listTasks({ ...filter, pageToken }, callBy(by)));
    expect(error.code).toBe("INVALID_PARAMS");
    expect(error.details.fieldViolations?.map(({ field }) => field)).toEqual(["pageToken"]);
    // Sizes and what is shown of each task may change from page to page.
    const next = { pageSize: 2, pageToken, includeArtifacts: true, historyLength: 0 };
    expect((await runtime.service.listTasks(next, ann)).tasks).toHaveLength(2);
  });

  it.each(["garbage", "e30", "W10", "WzEsMl0", "%%%", " ", "bnVsbA", "🤷"])(
    "%j is refused",
    async (pageToken) => {
      await using runtime = await openTasks(2);
      const error = await refusal(runtime.service.listTasks({ pageToken }, call()));
      expect(error.code).toBe("INVALID_PARAMS");
      expect(error.details.fieldViolations?.map(({ field }) => field)).toEqual(["pageToken"]);
    },
  );

  it("that is empty is none", async () => {
    await using runtime = await openTasks(2);
    expect(await list(runtime, { pageToken: "" })).toEqual(names([1, 0]));
  });
});
