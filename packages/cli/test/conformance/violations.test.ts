import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { demoAgent } from "../../src/demo-agent.js";
import { openFront } from "../doctor/open-front.js";
import type { Defect, Json } from "../doctor/open-front.js";
import { checkAgent } from "./check-agent.js";

let server: Server;

beforeAll(async () => {
  server = await serve(demoAgent, { port: 0, store: createMemoryStore(), grpc: false });
});

afterAll(() => server[Symbol.asyncDispose]());

/** Changes the result of some methods. */
function results(
  methods: readonly string[],
  change: (result: Json) => unknown,
): NonNullable<Defect["change"]> {
  return (body, { rpc }, response) => {
    const isJson = response.headers.get("content-type")?.startsWith("application/json") === true;
    if (rpc === undefined || !methods.includes(rpc) || !isJson) return body;
    const json = JSON.parse(body) as Json;
    return JSON.stringify(
      "result" in json ? { ...json, result: change(json["result"] as Json) } : json,
    );
  };
}

/** Changes the error objects of a method. */
function errors(method: string, change: (error: Json) => Json): NonNullable<Defect["change"]> {
  return (body, { rpc }) => {
    if (rpc !== method) return body;
    const json = JSON.parse(body) as Json;
    return JSON.stringify(
      "error" in json ? { ...json, error: change(json["error"] as Json) } : json,
    );
  };
}

/** Changes the frames of the streams of messages. */
function frames(
  change: (frames: readonly string[]) => readonly string[],
): NonNullable<Defect["change"]> {
  return (body, { rpc }, response) => {
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!isStream || rpc !== "SendStreamingMessage") return body;
    return `${change(body.trimEnd().split("\n\n")).join("\n\n")}\n\n`;
  };
}

const inTask = (change: (task: Json) => Json) =>
  results(["SendMessage"], ({ task, ...rest }) =>
    task === undefined ? rest : { ...rest, task: change(task as Json) },
  );

const onList = (change: (list: Json) => Json) => results(["ListTasks"], change);

/** Answers that break requirements, and all the requirements that must be reported as broken by each. */
const violations: readonly (readonly [string, NonNullable<Defect["change"]>, readonly string[]])[] =
  [
    [
      "a task and a message at once",
      results(["SendMessage"], (result) => ({
        ...result,
        message: { messageId: "m", role: "ROLE_AGENT", parts: [{ text: "hi" }] },
      })),
      ["send:one-payload"],
    ],
    [
      "a state of 0.3, a time of day with an offset, and a name in snake_case",
      inTask((task) => ({
        ...task,
        context_id: task["contextId"],
        status: { state: "completed", timestamp: "2026-01-01T00:00:00+01:00" },
      })),
      ["json:camel-case", "json:enum-names", "json:timestamp-format"],
    ],
    ["a member kind", inTask((task) => ({ ...task, kind: "task" })), ["json:no-kind"]],
    [
      "artifacts of the same id",
      inTask((task) => ({
        ...task,
        artifacts: [...(task["artifacts"] as Json[]), ...(task["artifacts"] as Json[])],
      })),
      ["artifact:id-unique", "send:blocking-latest-state"],
    ],
    [
      "an answer while the task is at work",
      inTask((task) => ({ ...task, status: { state: "TASK_STATE_WORKING" } })),
      ["send:blocking-default"],
    ],
    [
      "a context of its own",
      inTask((task) => ({ ...task, contextId: "another" })),
      ["context:not-replaced"],
    ],
    [
      "a list without its members",
      onList(({ tasks }) => ({ tasks })),
      ["list:response-fields", "list:next-page-token-present"],
    ],
    [
      "a list with artifacts",
      onList((list) => ({
        ...list,
        tasks: (list["tasks"] as Json[]).map((task) => ({ ...task, artifacts: [] })),
      })),
      ["list:omit-artifacts"],
    ],
    [
      "an error with another code, and without details",
      errors("GetTask", ({ message }) => ({ code: -32_000, message })),
      ["get:unknown-task", "jsonrpc:error-codes", "jsonrpc:error-info", "version:unsupported"],
    ],
    [
      "details that are an object",
      errors("GetTask", (error) => ({ ...error, data: { reason: "TASK_NOT_FOUND" } })),
      ["jsonrpc:error-data", "jsonrpc:error-info"],
    ],
    [
      "a stream without the task at its beginning",
      frames(([, ...rest]) => rest),
      ["stream:task-first"],
    ],
    ["a stream without its end", frames((all) => all.slice(0, 1)), ["stream:close-at-terminal"]],
    [
      "a stream whose frames are bare, without the envelope of JSON-RPC",
      frames((all) => all.map((frame) => frame.replace(/"jsonrpc":"2\.0"/, '"jsonrpc":"1.0"'))),
      ["jsonrpc:stream-frames"],
    ],
    [
      "updates without the context of their task",
      frames((all) =>
        all.map((frame, index) =>
          index === 0 ? frame : frame.replaceAll(/"contextId":"[^"]*",?/g, ""),
        ),
      ),
      ["stream:status-update-fields", "stream:artifact-update-fields"],
    ],
  ];

describe("a violation", () => {
  it.each(violations)("is reported: %s", async (_, change, broken) => {
    await using front = await openFront([server.url], { change });
    const results = await checkAgent(front.url, { message: "task hello" });
    const failed = results.flatMap(({ status, id }) => (status === "fail" ? [id] : []));
    expect(failed).toEqual(expect.arrayContaining([...broken]));
  });

  it("is not reported of a server that commits none", async () => {
    const change = (body: string): string => body;
    await using front = await openFront([server.url], { change });
    const results = await checkAgent(front.url, { message: "task hello" });
    expect(results.filter(({ status }) => status === "fail")).toEqual([]);
  });
});
