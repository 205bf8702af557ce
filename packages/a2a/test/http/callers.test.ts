import { describe, expect, it } from "vitest";
import { A2AError } from "@parley/a2a";
import type { Operation } from "@parley/a2a";
import { verifies } from "../spec/verifies.js";
import { authenticatorOf } from "../support/auth/authenticator-of.js";
import { isRest, textMessage, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { call, jsonOf, say, sayOldest, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

const speeches: readonly Speech[] = ["0.3", "0.3-proto", "0.3-schema", "1.0", "1.0 REST"];

/** Knows everybody by name but mallory, and lets anonymous callers in. */
const auth = authenticatorOf(async (credentials) => {
  const [, subject] = /^Bearer (\w+)$/.exec(credentials.header("authorization") ?? "") ?? [];
  if (subject === "mallory") throw new A2AError("UNAUTHENTICATED", "this token is not valid");
  return subject === undefined ? undefined : { subject };
});

const as = (name: string) => ({ Authorization: `Bearer ${name}` });

/** Everything that can be done to a task. */
function operationsOn(id: string): readonly (readonly [Operation, object])[] {
  return [
    ["getTask", { id }],
    ["cancelTask", { id }],
    ["subscribeToTask", { id }],
    ["sendMessage", textMessage("hi", { taskId: id })],
    ["sendStreamingMessage", textMessage("hi", { taskId: id })],
    ["createTaskPushNotificationConfig", { taskId: id, url: "https://client.example/hook" }],
    ["getTaskPushNotificationConfig", { taskId: id, id: "c1" }],
    ["listTaskPushNotificationConfigs", { taskId: id }],
    ["deleteTaskPushNotificationConfig", { taskId: id, id: "c1" }],
  ];
}

async function openAlicesTask(url: string): Promise<string> {
  const { result } = await call(url, "SendMessage", say("flight"), as("alice"));
  const { id } = result.task;
  const config = { taskId: id, id: "c1", url: "https://client.example/hook" };
  await call(url, "CreateTaskPushNotificationConfig", config, as("alice"));
  return id;
}

const cells = operationsOn("").flatMap(([operation]) =>
  speeches.map((speech) => ({ operation, speech })),
);

describe("another's task", () => {
  it.each(cells)(
    "is to $operation in $speech as if it did not exist",
    async ({ operation, speech }) => {
      verifies("error:missing-like-hidden");
      verifies(
        "auth:existence-hidden",
        "auth:task-operations",
        "auth:every-operation",
        "push:get-hidden",
        "auth:check-first",
      );
      await using server = await openServer({ auth });
      const id = await openAlicesTask(server.url);
      const answerFor = async (taskId: string, name: string) => {
        const [, request] = operationsOn(taskId).find(([one]) => one === operation) ?? [];
        const sent = write(speech, operation, request as never, as(name));
        const { status, headers, text } = await send(server.url, ...sent);
        return { status, type: headers["content-type"], text: text.replaceAll(taskId, "ID") };
      };
      const hidden = await answerFor(id, "bob");
      const missing = await answerFor("missing-0000-0000-0000-000000000000", "bob");
      expect(hidden).toEqual(missing);
      expect(hidden.text).toMatch(isRest(speech) ? /NOT_FOUND|-32001/ : /-32001/);
      const { result } = await call(server.url, "GetTask", { id }, as("alice"));
      expect(result.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
      expect(result.history).toHaveLength(1);
    },
  );

  it("is in nobody else's list, whatever the list is of", async () => {
    verifies("list:visible-only", "list:unfiltered-scope", "auth:scope");
    await using server = await openServer({ auth });
    const id = await openAlicesTask(server.url);
    const { result } = await call(server.url, "GetTask", { id }, as("alice"));
    const totals = async (name: string, filter: object = {}) => {
      const list = await call(server.url, "ListTasks", filter, name === "" ? {} : as(name));
      return [list.result.totalSize, list.result.tasks.length];
    };
    const { contextId } = result;
    expect(await totals("alice")).toEqual([1, 1]);
    expect(await totals("bob")).toEqual([0, 0]);
    expect(await totals("bob", { contextId })).toEqual([0, 0]);
    expect(await totals("")).toEqual([0, 0]);
  });

  it("keeps its id to itself, where 0.1 lets callers choose", async () => {
    await using server = await openServer({ auth });
    const [alices, bobs] = await Promise.all(
      ["alice", "bob"].map((name) =>
        call(server.url, "tasks/send", sayOldest("t1", `task ${name}`), as(name)),
      ),
    );
    expect(alices.result.artifacts[0].parts[0].text).toBe("alice");
    expect(bobs.result.artifacts[0].parts[0].text).toBe("bob");
    const { result } = await call(server.url, "tasks/get", { id: "t1" }, as("bob"));
    expect(result.artifacts[0].parts[0].text).toBe("bob");
  });
});

describe("a caller that is not believed", () => {
  it.each(cells)("is refused $operation in $speech", async ({ operation, speech }) => {
    verifies("auth:every-request", "auth:rejected", "auth:challenge");
    await using server = await openServer({ auth });
    const [, request] = operationsOn("t1").find(([one]) => one === operation) ?? [];
    const sent = write(speech, operation, request as never, as("mallory"));
    const answer = await send(server.url, ...sent);
    expect(answer.status).toBe(401);
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
    if (!isRest(speech)) expect(jsonOf(answer).error.code).toBe(-32000);
  });

  it("can read the public card all the same", async () => {
    await using server = await openServer({ auth });
    const headers = as("mallory");
    const answer = await send(server.url, "GET /.well-known/agent-card.json", { headers });
    expect(answer.status).toBe(200);
  });

  it("is asked for once a call, however much there is to look up", async () => {
    let asked = 0;
    const counting = async () => ({ subject: `number ${(asked += 1)}` });
    await using server = await openServer({ auth: authenticatorOf(counting) });
    await call(server.url, "tasks/get", { id: "t1" });
    expect(asked).toBe(1);
  });
});
