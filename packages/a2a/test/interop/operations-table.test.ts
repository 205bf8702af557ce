import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { SendMessageRequest, StreamEvent } from "@parley/a2a";
import type { RemoteAgent } from "@parley/a2a/client";
import type { Server } from "@parley/a2a/node";
import { connectOver } from "../client/open-agent.js";
import { extendedName, openDemo, streamedText } from "../support/servers/open-demo.js";
import { columns, keyOf, printTable, readTable, rows, writeTable } from "./operations-table.js";
import type { Mark, TableOperation } from "./operations-table.js";

/** Set it to write what the tests find into the README's table, in place of comparing them. */
const isUpdate = process.env["UPDATE_README"] === "1";

const hook = { id: "hook", url: "https://caller.example/hook" };

function saying(text: string): SendMessageRequest {
  return { message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] } };
}

/** A task that goes on until it is canceled. */
async function begin({ start }: { readonly start: RemoteAgent["start"] }): Promise<string> {
  const started = await start("wait 30");
  if (started.kind !== "task") throw new Error("expected a task");
  return started.id;
}

/** A task that waits for its caller, and has a push configuration. */
async function pushing(
  agent: RemoteAgent,
): Promise<{ readonly taskId: string; readonly id: string }> {
  const { task } = await agent.send("flight");
  const taskId = task?.id ?? "";
  const { id = hook.id } = await agent.service.createTaskPushNotificationConfig({
    taskId,
    ...hook,
  });
  return { taskId, id };
}

/** Calls each operation once, and checks what it does. */
const checks: Readonly<Record<TableOperation, (agent: RemoteAgent) => Promise<void>>> = {
  async sendMessage({ service }) {
    const { task } = await service.sendMessage(saying("task haiku"));
    expect(task?.artifacts?.[0]?.parts).toMatchObject([{ text: "haiku" }]);
  },
  async sendStreamingMessage({ service }) {
    const texts: string[] = [];
    let last: StreamEvent | undefined;
    for await (const event of service.sendStreamingMessage(saying("stream 3 1"))) {
      last = event;
      texts.push(
        ...(event.response.artifactUpdate?.artifact.parts.map(({ text = "" }) => text) ?? []),
      );
    }
    expect(texts.join("")).toBe(streamedText(3));
    expect(last?.response.statusUpdate?.status.state).toBe("TASK_STATE_COMPLETED");
  },
  async getTask(agent) {
    const { task } = await agent.send("task haiku");
    const got = await agent.service.getTask({ id: task?.id ?? "" });
    expect(got).toMatchObject({ id: task?.id, status: { state: "TASK_STATE_COMPLETED" } });
  },
  async listTasks(agent) {
    const { task } = await agent.send("task haiku");
    const { tasks } = await agent.service.listTasks({});
    expect(tasks.map(({ id }) => id)).toContain(task?.id);
  },
  async cancelTask(agent) {
    const id = await begin({ start: (...given) => agent.start(...given) });
    const { status } = await agent.service.cancelTask({ id });
    expect(status.state).toBe("TASK_STATE_CANCELED");
  },
  async subscribeToTask(agent) {
    const id = await begin({ start: (...given) => agent.start(...given) });
    let last: StreamEvent | undefined;
    for await (const event of agent.service.subscribeToTask({ id })) {
      // The stream is open: what happens from now on is told.
      if (last === undefined) void agent.service.cancelTask({ id });
      last = event;
    }
    expect(last?.response.statusUpdate?.status.state).toBe("TASK_STATE_CANCELED");
  },
  async createTaskPushNotificationConfig(agent) {
    const { task } = await agent.send("flight");
    const config = { taskId: task?.id ?? "", ...hook };
    const created = await agent.service.createTaskPushNotificationConfig(config);
    expect(created).toMatchObject({ taskId: task?.id, url: hook.url });
  },
  async getTaskPushNotificationConfig(agent) {
    const config = await pushing(agent);
    const got = await agent.service.getTaskPushNotificationConfig(config);
    expect(got).toMatchObject({ taskId: config.taskId, url: hook.url });
  },
  async listTaskPushNotificationConfigs(agent) {
    const { taskId } = await pushing(agent);
    const { configs } = await agent.service.listTaskPushNotificationConfigs({ taskId });
    expect(configs?.map(({ url }) => url)).toEqual([hook.url]);
  },
  async deleteTaskPushNotificationConfig(agent) {
    const config = await pushing(agent);
    await agent.service.deleteTaskPushNotificationConfig(config);
    await expect(agent.service.getTaskPushNotificationConfig(config)).rejects.toThrow();
  },
  async getExtendedAgentCard({ service }) {
    expect((await service.getExtendedAgentCard({})).name).toBe(extendedName);
  },
};

const table = readTable();
const found = new Map<string, Mark>();

let demo: Server;
beforeAll(async () => {
  demo = await openDemo({ grpc: { port: 0 } });
});
afterAll(async () => {
  await demo[Symbol.asyncDispose]();
  if (isUpdate) writeTable(found);
});

const cases = rows.flatMap((row) =>
  (Object.keys(columns) as readonly TableOperation[]).map((operation) => ({
    ...row,
    operation,
    mark: isUpdate ? "?" : table.marks.get(keyOf(row, operation)),
  })),
);

describe("the README's table of versions, bindings and operations", () => {
  it.each(cases)("says $mark of $operation over $binding in $version", async (one) => {
    const { version, binding, operation, mark } = one;
    const agent = await connectOver(demo.url, [binding, version], {
      grpcAddress: demo.grpcAddress,
    });
    expect([agent.binding, agent.version]).toEqual([binding, version]);
    // A version without the operation has no request for it: the client says so, and sends nothing.
    const isDefined = await checks[operation](agent).then(
      () => true,
      (error: { readonly code?: unknown }) => {
        if (error.code !== "UNSUPPORTED_OPERATION") throw error;
        return false;
      },
    );
    found.set(keyOf(one, operation), isDefined ? "✓" : "–");
    if (!isUpdate) expect(isDefined ? "✓" : "–").toBe(mark);
  });

  it.skipIf(isUpdate)("has a row for each interface and a column for each operation", () => {
    expect(
      table.lines,
      "rewrite it: UPDATE_README=1 npx vitest run packages/a2a/test/interop/operations-table.test.ts",
    ).toEqual(printTable(table.marks));
  });
});
