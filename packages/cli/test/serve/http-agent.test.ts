import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { failureOf, textOf } from "@parley/a2a";
import type { Task } from "@parley/a2a";
import { tryAgent } from "@parley/a2a/testing";
import { createHttpAgent } from "../../src/serve/http/http-agent.js";
import { openScriptServer } from "./open-script-server.js";
import type { ScriptServer } from "./open-script-server.js";

const patience = { patienceMs: 60_000 };
const wordsOf = ({ status }: Task): string => (status.message ? textOf(status.message) : "");
const agentOf = ({ url }: ScriptServer) =>
  createHttpAgent({ url: `${url}/answer?v=1`, headers: { "X-Team": "travel" } });

/** Answers with a media type and a body. */
const answerWith = (type: string, body: string | Buffer) => (response: ServerResponse) =>
  response.writeHead(200, { "Content-Type": type }).end(body);

describe("a service", () => {
  it("gets the message, and what is known of it", async () => {
    await using service = await openScriptServer(answerWith("text/plain", "hi"));
    await using trial = await tryAgent(agentOf(service), patience);
    const talk = await trial.send(["Hello", { data: { n: 1 } }]);
    expect(await talk.text()).toBe("hi");
    const { contextId } = await talk.task();
    expect(service.received).toMatchObject([
      {
        method: "POST",
        path: "/answer?v=1",
        headers: {
          "x-team": "travel",
          "idempotency-key": expect.stringContaining(`${talk.taskId}:`),
        },
        body: {
          text: "Hello",
          taskId: talk.taskId,
          contextId,
          message: { parts: [{ text: "Hello" }, { data: { n: 1 } }] },
          history: [],
        },
      },
    ]);
  });

  it("streams text, which is told as it comes", async () => {
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    await using service = await openScriptServer(async (response) => {
      response.writeHead(200, { "Content-Type": "text/plain" }).write("first ");
      await gate;
      response.end(Buffer.from([0x73, 0xff]));
    });
    await using trial = await tryAgent(agentOf(service), patience);
    const talk = await trial.send("go");
    await talk.until((updates) => JSON.stringify(updates).includes("first "), "the first word");
    goOn();
    expect(await talk.text()).toBe("first s\uFFFD");
  });

  const outputs = [
    '{"status":"Half way","progress":0.5}',
    '"one "',
    '{"text":"two"}',
    '{"completed":"Done"}',
  ];
  it.each<[string, string, string]>([
    ["an event stream", "text/event-stream", outputs.map((one) => `data: ${one}\n\n`).join("")],
    ["lines of JSON", "application/x-ndjson", outputs.join("\n")],
    ["a list in JSON", "application/json; charset=utf-8", `[${outputs.join(",\n")}]`],
  ])("says more than text with %s", async (_, type, body) => {
    await using service = await openScriptServer(answerWith(type, body));
    await using trial = await tryAgent(agentOf(service), patience);
    const talk = await trial.send("go");
    expect(await talk.text()).toBe("one two");
    expect(wordsOf(await talk.task())).toBe("Done");
    expect(JSON.stringify(talk.updates)).toContain('"progress":0.5');
  });

  it("may send events of plain text, up to [DONE]", async () => {
    const events = "data: one \n\ndata: two\ndata: lines\n\ndata: [DONE]\n\ndata: three\n\n";
    await using service = await openScriptServer(answerWith("text/event-stream", events));
    await using trial = await tryAgent(agentOf(service), patience);
    expect(await (await trial.send("go")).text()).toBe("one two\nlines");
  });

  it("asks, and gets the answer with the history of the task", async () => {
    await using service = await openScriptServer((response, { body }) =>
      answerWith(
        "application/json",
        body.history.length === 0 ? '{"inputRequired":"When?"}' : `"In ${body.text}"`,
      )(response),
    );
    await using trial = await tryAgent(agentOf(service), patience);
    const talk = await trial.send("A trip");
    expect(await talk.question()).toBe("When?");
    await talk.answer("May");
    expect(await talk.text("answer-2")).toBe("In May");
  });

  it("is left when the task is canceled", async () => {
    await using service = await openScriptServer((response) =>
      response.writeHead(200, { "Content-Type": "text/plain" }).write("slow"),
    );
    await using trial = await tryAgent(agentOf(service), patience);
    const talk = await trial.send("go");
    await talk.until((updates) => JSON.stringify(updates).includes("slow"), "the first word");
    await talk.cancel();
    expect((await talk.task()).status.state).toBe("TASK_STATE_CANCELED");
    await service.received[0]?.left;
  });

  it("gets the same key when its request is repeated", async () => {
    await using service = await openScriptServer((response) => {
      if (service.received.length > 1) answerWith("text/plain", "again")(response);
      else response.writeHead(200, { "Content-Type": "text/plain" }).write("once");
    });
    await using trial = await tryAgent(agentOf(service), patience);
    const talk = await trial.send("go");
    await talk.until((updates) => JSON.stringify(updates).includes("once"), "the first word");
    await trial.crash();
    expect(await talk.text()).toBe("again");
    const keys = service.received.map(({ headers }) => headers["idempotency-key"]);
    expect(keys).toEqual([keys[0], keys[0]]);
  });
});

describe("a service that fails", () => {
  it.each<[string, (response: ServerResponse) => unknown, string, string]>([
    [
      "a status",
      (response) => response.writeHead(500).end("at db.internal: no such table"),
      "the service behind this agent answered with 500",
      "BACKEND_FAILED",
    ],
    [
      "a redirect, which is not followed",
      (response) => response.writeHead(302, { Location: "http://127.0.0.1:1/" }).end(),
      "the service behind this agent answered with 302",
      "BACKEND_FAILED",
    ],
    [
      "an answer that is cut off",
      (response) => {
        response.writeHead(200, { "Content-Type": "text/plain" }).write("half");
        setImmediate(() => response.destroy());
      },
      "the connection was lost before the answer was complete",
      "BACKEND_CUT_OFF",
    ],
    ["words of its own", answerWith("application/json", '{"failed":"No","code":"X"}'), "No", "X"],
    [
      "no JSON",
      answerWith("application/json", "{"),
      "the service behind this agent wrote something that is not JSON: {",
      "INVALID_OUTPUT",
    ],
    [
      "a picture",
      answerWith("image/png", "x"),
      "the service behind this agent answered with image/png; expected text, JSON, JSON lines or an event stream",
      "INVALID_ANSWER",
    ],
  ])("fails the task: %s", async (_, script, words, code) => {
    await using service = await openScriptServer(script);
    await using trial = await tryAgent(agentOf(service), patience);
    const task = await (await trial.send("go")).task();
    expect(task.status.state).toBe("TASK_STATE_FAILED");
    expect([wordsOf(task), failureOf(task)?.code]).toEqual([words, code]);
  });

  it("may write more than a task holds, and is left", async () => {
    await using service = await openScriptServer((response) => {
      response.writeHead(200, { "Content-Type": "text/plain" });
      const more = (): void => {
        while (response.writable && response.write("x".repeat(65_536)));
      };
      response.on("drain", more);
      more();
    });
    const settings = { maxTaskBytes: 1024 * 1024 };
    await using trial = await tryAgent(agentOf(service), { ...patience, settings });
    const task = await (await trial.send("go")).task();
    expect(wordsOf(task)).toBe("the task has more than 1048576 bytes");
    await service.received[0]?.left;
  });
});
