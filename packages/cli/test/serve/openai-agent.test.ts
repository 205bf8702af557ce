import type { ServerResponse } from "node:http";
import { describe, expect, it } from "vitest";
import { failureOf, textOf } from "@parley/a2a";
import type { Task } from "@parley/a2a";
import { tryAgent } from "@parley/a2a/testing";
import { createOpenAiAgent } from "../../src/serve/openai/openai-agent.js";
import { openScriptServer } from "./open-script-server.js";
import type { Received, ScriptServer } from "./open-script-server.js";

const patience = { patienceMs: 60_000 };
const wordsOf = ({ status }: Task): string => (status.message ? textOf(status.message) : "");

type Script = (response: ServerResponse, received: Received) => unknown;

const openModel = (script: Script): Promise<ScriptServer> => openScriptServer(script);
const agentOf = ({ url }: ScriptServer, apiKey?: string) =>
  createOpenAiAgent({
    baseUrl: `${url}/v1/`,
    model: "tiny",
    system: "Be brief.",
    ...(apiKey !== undefined && { apiKey }),
  });

const delta = (content: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const finished = (reason: string): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason: reason }] })}\n\n`;
const done = "data: [DONE]\n\n";

function begin(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { "Content-Type": "text/event-stream; charset=utf-8" });
}

describe("a model", () => {
  it("is asked for a stream, and its words are told as they come", async () => {
    let goOn = (): void => undefined;
    const gate = new Promise<void>((resolve) => (goOn = resolve));
    await using model = await openModel(async (response) => {
      begin(response).write(`: ping\n\n${delta("Old ")}`);
      await gate;
      response.end(delta("pond") + finished("stop") + done);
    });
    await using trial = await tryAgent(agentOf(model, "sk-1"), patience);
    const talk = await trial.send("A haiku");
    await talk.until((updates) => JSON.stringify(updates).includes("Old "), "the first word");
    goOn();
    expect(await talk.text()).toBe("Old pond");
    expect(model.received).toMatchObject([
      {
        method: "POST",
        path: "/v1/chat/completions",
        headers: { authorization: "Bearer sk-1" },
        body: {
          model: "tiny",
          stream: true,
          messages: [
            { role: "system", content: "Be brief." },
            { role: "user", content: "A haiku" },
          ],
        },
      },
    ]);
  });

  it("gets the conversation of its context, and nothing of others", async () => {
    await using model = await openModel((response, { body }) =>
      begin(response).end(delta(`${body.messages.length} messages`) + done),
    );
    await using trial = await tryAgent(agentOf(model), patience);
    const first = await trial.send("My name is Ada");
    await first.text();
    const { contextId = "" } = await first.task();
    const second = await trial.send("What is my name?", { contextId });
    expect(await second.text()).toBe("4 messages");
    expect(model.received[1]?.body.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "My name is Ada" },
      { role: "assistant", content: "2 messages" },
      { role: "user", content: "What is my name?" },
    ]);
    expect(model.received[1]?.headers).not.toHaveProperty("authorization");
    expect(await (await trial.send("Hello")).text()).toBe("2 messages");
  });

  it("gets the end of a conversation that is too long", async () => {
    await using model = await openModel((response) =>
      begin(response).end(delta("long ".repeat(30_000)) + done),
    );
    await using trial = await tryAgent(agentOf(model), patience);
    const first = await trial.send("one");
    const { contextId = "" } = await first.task();
    // Tasks are in the order of their times.
    await trial.advance(1000);
    await (await trial.send("two", { contextId })).task();
    await trial.advance(1000);
    await (await trial.send("three", { contextId })).task();
    const said = model.received[2]?.body.messages.map((one: { content: string }) =>
      one.content.slice(0, 5),
    );
    expect(said).toEqual(["Be br", "two", "long ", "three"]);
  });

  it("may answer at once, where its server does not stream", async () => {
    await using model = await openModel((response) =>
      response
        .writeHead(200, { "Content-Type": "application/json" })
        .end(JSON.stringify({ choices: [{ message: { content: "All of it" } }] })),
    );
    await using trial = await tryAgent(agentOf(model), patience);
    expect(await (await trial.send("go")).text()).toBe("All of it");
  });

  it("may write bytes that are not UTF-8, and characters in pieces", async () => {
    const [before = "", after = ""] = delta("|").split("|");
    await using model = await openModel((response) => {
      begin(response).write(Buffer.concat([Buffer.from(before), Buffer.from([0xff, 0xc3])]));
      setImmediate(() => {
        response.write(Buffer.concat([Buffer.from([0xa4]), Buffer.from(after)]));
        response.end(done);
      });
    });
    await using trial = await tryAgent(agentOf(model), patience);
    expect(await (await trial.send("go")).text()).toBe("\uFFFDä");
  });

  it("may write more than a task holds, and is left", async () => {
    await using model = await openModel((response) => {
      const more = (): void => {
        while (response.writable && response.write(delta("x".repeat(65_536))));
      };
      begin(response).on("drain", more);
      more();
    });
    const settings = { maxTaskBytes: 1024 * 1024 };
    await using trial = await tryAgent(agentOf(model), { ...patience, settings });
    const task = await (await trial.send("go")).task();
    expect(wordsOf(task)).toBe("the task has more than 1048576 bytes");
    await model.received[0]?.left;
  });

  it("is left when the task is canceled", async () => {
    await using model = await openModel((response) => begin(response).write(delta("Once ")));
    await using trial = await tryAgent(agentOf(model), patience);
    const talk = await trial.send("A novel");
    await talk.until((updates) => JSON.stringify(updates).includes("Once "), "the first word");
    await talk.cancel();
    expect((await talk.task()).status.state).toBe("TASK_STATE_CANCELED");
    await model.received[0]?.left;
  });

  it("is asked again when the server has died", async () => {
    let asked = 0;
    await using model = await openModel((response) => {
      asked += 1;
      begin(response).write(delta(`Take ${asked}`));
      if (asked > 1) response.end(done);
    });
    await using trial = await tryAgent(agentOf(model), patience);
    const talk = await trial.send("A novel");
    await talk.until((updates) => JSON.stringify(updates).includes("Take 1"), "the first words");
    await trial.crash();
    expect(await talk.text()).toBe("Take 2");
  });
});

describe("an endpoint that fails", () => {
  const refuse =
    (status: number, body: string): Script =>
    (response) =>
      response.writeHead(status, { "Content-Type": "application/json" }).end(body);
  const error = (message: string): string => JSON.stringify({ error: { message } });

  it.each<[string, Script, string, string]>([
    ["an unknown model", refuse(404, error("no model tiny")), "404: no model tiny", "MODEL_FAILED"],
    ["too many requests", refuse(429, error("slow down")), "429: slow down", "MODEL_BUSY"],
    ["a page of a proxy", refuse(502, "<html>"), "answered with 502", "MODEL_FAILED"],
    [
      "an error in the middle",
      (response) => begin(response).end(`${delta("Well")}data: ${error("out of memory")}\n\n`),
      "in the middle of its answer: out of memory",
      "MODEL_FAILED",
    ],
    [
      "a stream that is cut off",
      (response) => {
        begin(response).write(delta("Well"));
        setImmediate(() => response.destroy());
      },
      "lost before the answer was complete",
      "BACKEND_CUT_OFF",
    ],
    [
      "a stream without its end",
      (response) => begin(response).end(delta("Well")),
      "cut off before its end",
      "BACKEND_CUT_OFF",
    ],
    [
      "an answer that its filter withheld",
      (response) => begin(response).end(finished("content_filter") + done),
      "withheld",
      "CONTENT_FILTERED",
    ],
    [
      "events that are no JSON",
      (response) => begin(response).end("data: nonsense\n\n"),
      "not JSON",
      "INVALID_ANSWER",
    ],
    [
      "a page",
      (response) => response.writeHead(200, { "Content-Type": "text/html" }).end("<html>"),
      "answered with text/html",
      "INVALID_ANSWER",
    ],
    [
      "an event without end",
      (response) => {
        begin(response).write("data: ");
        const more = (): void => {
          while (response.writable && response.write("x".repeat(1024 * 1024)));
        };
        response.on("drain", more);
        more();
      },
      "bytes without a break",
      "OUTPUT_TOO_LARGE",
    ],
  ])("fails the task, and says why: %s", async (_, script, words, code) => {
    await using model = await openModel(script);
    await using trial = await tryAgent(agentOf(model), patience);
    const task = await (await trial.send("go")).task();
    expect(task.status.state).toBe("TASK_STATE_FAILED");
    expect(wordsOf(task)).toContain(words);
    expect(failureOf(task)?.code).toBe(code);
  });

  it("tells callers nothing of the operator's key", async () => {
    await using model = await openModel(refuse(401, error("Incorrect API key: sk-1***")));
    await using trial = await tryAgent(agentOf(model, "sk-123"), patience);
    const talk = await trial.send("go");
    const task = await talk.task();
    expect(wordsOf(task)).toContain("refused the credentials of this agent (401)");
    expect(JSON.stringify(talk.updates)).not.toContain("sk-1");
    expect(String(trial.reports[0]?.error)).toContain("Incorrect API key");
  });

  it("may not be there", async () => {
    const { url } = await closed(await openModel(() => undefined));
    const agent = createOpenAiAgent({ baseUrl: url, model: "tiny" });
    await using trial = await tryAgent(agent, patience);
    const task = await (await trial.send("go")).task();
    expect(wordsOf(task)).toBe("the service behind this agent cannot be reached");
    expect(String(trial.reports[0]?.error)).toContain("ECONNREFUSED");
  });
});

/** Closes a server at once, whose address nobody has then. */
async function closed(server: ScriptServer): Promise<ScriptServer> {
  await server[Symbol.asyncDispose]();
  return server;
}
