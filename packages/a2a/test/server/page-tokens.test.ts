import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallContext, ListTasksRequest } from "../../src/protocol/internal.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { callBy, openTestRuntime, say } from "../support/runtime/open-test-runtime.js";
import type { TestRuntime } from "../support/runtime/open-test-runtime.js";
import { refusal, taskOf } from "../support/runtime/answers.js";
import { rounds } from "../support/rounds.js";

const subjects = ["ann", "bob"];
const tenants = [undefined, "acme", "other"];
const callers: readonly CallContext[] = [
  ...subjects.flatMap((subject) =>
    tenants.map((tenant) => callBy(subject, tenant === undefined ? {} : { tenant })),
  ),
  { version: "1.0", principal: { subject: "ann", scopes: ["a2a:operator"] } },
  { version: "1.0", tenant: "acme", principal: { subject: "ann", scopes: ["a2a:operator:acme"] } },
];
const filters: readonly ListTasksRequest[] = [
  {},
  { contextId: "c" },
  { status: "TASK_STATE_INPUT_REQUIRED" },
  { statusTimestampAfter: "2000-01-01T00:00:00.000Z" },
  { contextId: "c", status: "TASK_STATE_INPUT_REQUIRED" },
];

/** A runtime in which every caller has three tasks, so that every list has a second page. */
async function openFilled(name = "Tested", store = createMemoryStore()): Promise<TestRuntime> {
  const runtime = await openTestRuntime({
    name,
    store,
    capabilities: { pushNotifications: true },
    settings: { hasAuthentication: true },
    run: () => ({ inputRequired: "?" }),
  });
  for (const by of callers) {
    for (let count = 0; count < 3; count += 1) {
      await runtime.service.sendMessage(say("go", { contextId: "c" }), by);
    }
  }
  return runtime;
}

async function tokenOf(
  { service }: TestRuntime,
  filter: ListTasksRequest,
  by: CallContext,
): Promise<string> {
  return (await service.listTasks({ ...filter, pageSize: 1 }, by)).nextPageToken;
}

async function expectRefused(attempt: Promise<unknown>): Promise<void> {
  const error = await refusal(attempt);
  expect(error.code).toBe("INVALID_PARAMS");
  expect(error.message).toBe("pageToken: expected a token from an earlier page of the same list");
  expect(error.details.fieldViolations?.map(({ field }) => field)).toEqual(["pageToken"]);
}

describe("a page token", () => {
  it("is good for one caller and one filter, and for no other pair of them", async () => {
    await using runtime = await openFilled();
    const lists = callers.flatMap((by) => filters.map((filter) => ({ by, filter })));
    const list = fc.constantFrom(...lists);
    await fc.assert(
      fc.asyncProperty(list, list, async (made, used) => {
        const pageToken = await tokenOf(runtime, made.filter, made.by);
        const attempt = runtime.service.listTasks({ ...used.filter, pageToken }, used.by);
        if (made === used) expect((await attempt).tasks.length).toBeGreaterThan(0);
        else await expectRefused(attempt);
      }),
      { numRuns: rounds(400), examples: lists.map((one) => [one, one]) },
    );
  });

  it("cannot be changed into another", async () => {
    await using runtime = await openFilled();
    const [ann = callBy("ann")] = callers;
    const token = await tokenOf(runtime, {}, ann);
    const change = fc.record({
      at: fc.nat(token.length),
      added: fc.base64String(),
      cut: fc.nat(4),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ at, added, cut }) => {
        const pageToken = token.slice(0, at) + added + token.slice(at + cut);
        fc.pre(pageToken !== token && pageToken !== "");
        await expectRefused(runtime.service.listTasks({ pageToken }, ann));
      }),
      { numRuns: rounds(300) },
    );
  });

  it("cannot be put together from what is known of a place", async () => {
    await using runtime = await openFilled();
    const place = fc.tuple(fc.integer(), fc.uuid(), fc.constantFrom("[]", "tasks"));
    await fc.assert(
      fc.asyncProperty(place, async (parts) => {
        const pageToken = Buffer.from(JSON.stringify(parts)).toString("base64url");
        await expectRefused(runtime.service.listTasks({ pageToken }, callBy("ann")));
      }),
    );
  });

  it("says nothing, and never the same", async () => {
    await using runtime = await openFilled();
    const ann = callBy("ann");
    const { tasks, nextPageToken } = await runtime.service.listTasks({ pageSize: 1 }, ann);
    const bytes = Buffer.from(nextPageToken, "base64url").toString("latin1");
    expect(bytes).not.toContain(tasks[0]?.id);
    expect(bytes).not.toContain("ann");
    expect(await tokenOf(runtime, {}, ann)).not.toBe(nextPageToken);
  });

  it("is good on every node over the store, also after a restart, and for one agent only", async () => {
    const store = createMemoryStore();
    const bob = callBy("bob");
    let pageToken: string;
    {
      await using first = await openFilled("Tested", store);
      pageToken = await tokenOf(first, {}, bob);
    }
    await using second = await openTestRuntime({
      store,
      settings: { hasAuthentication: true },
      run: () => "x",
    });
    expect((await second.service.listTasks({ pageToken }, bob)).tasks).toHaveLength(2);
    await using other = await openFilled("Another", store);
    await expectRefused(other.service.listTasks({ pageToken }, bob));
  });

  it("is no more when the store that it was made over is", async () => {
    await using first = await openFilled();
    await using second = await openFilled();
    const pageToken = await tokenOf(first, {}, callBy("ann"));
    await expectRefused(second.service.listTasks({ pageToken }, callBy("ann")));
  });
});

describe("a page token of push configurations", () => {
  it("is good for their task only, and no token of a list of tasks", async () => {
    await using runtime = await openFilled();
    const ann = callBy("ann");
    const open = async (): Promise<string> => {
      const { id: taskId } = taskOf(await runtime.service.sendMessage(say("go"), ann));
      for (const id of ["c1", "c2", "c3"]) {
        const config = { taskId, id, url: `https://hook.example/${id}` };
        await runtime.service.createTaskPushNotificationConfig(config, ann);
      }
      return taskId;
    };
    const [one, other] = [await open(), await open()];
    const list = (taskId: string, pageToken?: string) =>
      runtime.service.listTaskPushNotificationConfigs(
        { taskId, pageSize: 1, ...(pageToken !== undefined && { pageToken }) },
        ann,
      );
    const { nextPageToken = "" } = await list(one);
    expect(Buffer.from(nextPageToken, "base64url").toString("latin1")).not.toContain("c1");
    expect((await list(one, nextPageToken)).configs?.map(({ id }) => id)).toEqual(["c2"]);
    await expectRefused(list(other, nextPageToken));
    await expectRefused(list(one, await tokenOf(runtime, {}, ann)));
    await expectRefused(runtime.service.listTasks({ pageToken: nextPageToken }, ann));
    await expectRefused(list(one, "c1"));
  });
});
