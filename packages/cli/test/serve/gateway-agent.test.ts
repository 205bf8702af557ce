import { describe, expect, it, vi } from "vitest";
import { agent, failureOf, textOf } from "@parley/a2a";
import type { ConnectOptions, Handler, Task } from "@parley/a2a";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { tryAgent } from "@parley/a2a/testing";
import { openSdk02, openSdk03, openSdk10 } from "../../../a2a/test/client/sdk-servers.js";
import { streamedText } from "../../../a2a/test/support/servers/open-demo.js";
import { createDeferred } from "../../../a2a/test/support/time/deferred.js";
import { createGatewayAgent } from "../../src/serve/gateway/gateway-agent.js";

const patience = { patienceMs: 60_000 };
const wordsOf = ({ status }: Task): string => (status.message ? textOf(status.message) : "");

/** An agent on another server, which counts the messages that it gets. */
async function openOther(run: Handler): Promise<Server & { readonly begun: () => number }> {
  let begun = 0;
  const other = agent({
    name: "Other",
    description: "Works elsewhere",
    version: "2.1.0",
    skills: [
      { id: "s", name: "Skill", tags: ["t"], securityRequirements: [{ schemes: { key: {} } }] },
    ],
    inputModes: ["text/plain", "image/*"],
    run(context) {
      begun += 1;
      return run(context);
    },
  });
  const server = await serve(other, { port: 0, store: "memory:" });
  return { ...server, begun: () => begun };
}

const open = ({ url }: Server) => createGatewayAgent({ reference: url });

describe("a gateway", () => {
  it("has the card of the other agent, with its own address and its own callers", async () => {
    await using other = await openOther(() => "hi");
    const gateway = await open(other);
    const url = "https://gateway.example";
    const card = gateway.card([{ url, protocolBinding: "JSONRPC", protocolVersion: "1.0" }]);
    expect(card).toMatchObject({
      name: "Other",
      description: "Works elsewhere",
      version: "2.1.0",
      defaultInputModes: ["text/plain", "image/*"],
      supportedInterfaces: [{ url }],
    });
    expect(card.skills).toEqual([{ id: "s", name: "Skill", description: "Skill", tags: ["t"] }]);
  });

  it("passes on what the other agent tells, as it comes", async () => {
    const gate = createDeferred<void>();
    await using other = await openOther(async function* ({ text }) {
      yield { status: "Half way", progress: 0.5 };
      yield `${text}: `;
      await gate.promise;
      yield "done";
      yield { artifact: "table", name: "Table", data: [1, 2] };
      return { completed: "All of it" };
    });
    await using trial = await tryAgent(await open(other), patience);
    const talk = await trial.send("Work");
    await talk.until((updates) => JSON.stringify(updates).includes("Work: "), "the first words");
    gate.resolve();
    const task = await talk.task();
    expect(wordsOf(task)).toBe("All of it");
    expect(task.artifacts).toMatchObject([
      { artifactId: "answer", parts: [{ text: "Work: " }, { text: "done" }] },
      { artifactId: "table", name: "Table", parts: [{ data: [1, 2] }] },
    ]);
    expect(JSON.stringify(talk.updates)).toContain('"progress":0.5');
  });

  it("answers with the message of an agent that has no task", async () => {
    await using other = await openOther(({ text }) => `You said ${text}`);
    await using trial = await tryAgent(await open(other), patience);
    expect(await (await trial.send("hi")).text()).toBe("You said hi");
  });

  it("passes on questions and answers, once each, also after a crash", async () => {
    await using other = await openOther(async function* ({ ask, authRequired }) {
      const where = textOf(await ask("Where?"));
      const when = textOf(await ask("When?"));
      await authRequired("May I?");
      yield `${where} in ${when}`;
    });
    await using trial = await tryAgent(await open(other), patience);
    const talk = await trial.send("A trip");
    expect(await talk.question()).toBe("Where?");
    await trial.crash();
    await talk.answer("Tokyo");
    expect(await talk.question()).toBe("When?");
    await trial.redeploy();
    await talk.answer("May");
    expect(await talk.question()).toBe("May I?");
    expect((await talk.task()).status.state).toBe("TASK_STATE_AUTH_REQUIRED");
    await talk.answer("yes");
    expect(await talk.text()).toBe("Tokyo in May");
    expect(other.begun()).toBe(1);
  });

  it("goes on with the task of the other agent after a crash in the middle", async () => {
    const gate = createDeferred<void>();
    await using other = await openOther(async function* () {
      yield "one ";
      await gate.promise;
      yield "two";
    });
    await using trial = await tryAgent(await open(other), patience);
    const talk = await trial.send("go");
    await talk.until((updates) => JSON.stringify(updates).includes("one "), "the first word");
    await trial.crash();
    gate.resolve();
    expect(await talk.text()).toBe("one two");
    expect(other.begun()).toBe(1);
  });

  it("passes on what the caller says while the other agent works, once each, also after a crash", async () => {
    const heard: string[] = [];
    await using other = await openOther(async function* ({ nextMessage }) {
      yield "listening";
      for (;;) {
        const text = textOf(await nextMessage());
        heard.push(text);
        yield ` ${text}`;
        if (text === "stop") return;
      }
    });
    await using trial = await tryAgent(await open(other), patience);
    const talk = await trial.send("go");
    const until = (text: string) =>
      talk.until((updates) => JSON.stringify(updates).includes(text), text);
    await until("listening");
    await talk.say("one");
    await until(" one");
    await trial.crash();
    await talk.say("two");
    await until(" two");
    await talk.say("stop");
    expect(await talk.text()).toBe("listening one two stop");
    expect([heard, other.begun()]).toEqual([["one", "two", "stop"], 1]);
  });

  it("answers a question after messages that it has passed on", async () => {
    await using other = await openOther(async function* ({ nextMessage, ask }) {
      yield "listening";
      const text = textOf(await nextMessage());
      yield ` ${text} ${textOf(await ask("Where?"))}`;
    });
    await using trial = await tryAgent(await open(other), patience);
    const talk = await trial.send("go");
    await talk.until((updates) => JSON.stringify(updates).includes("listening"), "its beginning");
    await talk.say("hurry");
    expect(await talk.question()).toBe("Where?");
    await talk.answer("Tokyo");
    expect(await talk.text()).toBe("listening hurry Tokyo");
  });

  it("says so when the other agent does not take what the caller says while it works", async () => {
    const gate = createDeferred<void>();
    await using other = await openOther(async function* () {
      yield "busy";
      await gate.promise;
      yield " done";
    });
    const refusing: ConnectOptions["fetch"] = async (url, init) => {
      const body = typeof init.body === "string" ? init.body : "";
      if (!body.includes("hurry")) return fetch(url, init);
      gate.resolve();
      const { id } = JSON.parse(body) as { readonly id: number };
      const error = { code: -32004, message: "one message a task" };
      return Response.json({ jsonrpc: "2.0", id, error });
    };
    const gateway = await createGatewayAgent({
      reference: other.url,
      connection: { fetch: refusing },
    });
    await using trial = await tryAgent(gateway, patience);
    const talk = await trial.send("go");
    const until = (text: string) =>
      talk.until((updates) => JSON.stringify(updates).includes(text), text);
    await until("busy");
    await talk.say("hurry");
    await until("did not take the message: one message a task");
    expect(await talk.text()).toBe("busy done");
  });

  it("cancels the task of the other agent", async () => {
    const canceled = createDeferred<void>();
    await using other = await openOther(async function* ({ signal }) {
      signal.addEventListener("abort", () => canceled.resolve());
      yield "one ";
      await canceled.promise;
    });
    await using trial = await tryAgent(await open(other), patience);
    const talk = await trial.send("go");
    await talk.until((updates) => JSON.stringify(updates).includes("one "), "the first word");
    await talk.cancel();
    expect((await talk.task()).status.state).toBe("TASK_STATE_CANCELED");
    await canceled.promise;
  });

  it("cancels the task of the other agent while that waits for an answer", async () => {
    const canceled = createDeferred<void>();
    await using other = await openOther(({ ask, signal }) => {
      signal.addEventListener("abort", () => canceled.resolve());
      return ask("Where?").then(textOf);
    });
    await using trial = await tryAgent(await open(other), patience);
    const talk = await trial.send("go");
    await talk.question();
    await talk.cancel();
    await canceled.promise;
  });

  it("leaves the task of the other agent alone when it is stopped itself", async () => {
    const gate = createDeferred<void>();
    await using other = await openOther(async function* () {
      yield "one ";
      await gate.promise;
      yield "two";
    });
    const calls: string[] = [];
    const connection: ConnectOptions = {
      fetch: (url, init) => {
        if (typeof init.body === "string") calls.push(init.body);
        return fetch(url, init);
      },
    };
    const gateway = await createGatewayAgent({ reference: other.url, connection });
    await using trial = await tryAgent(gateway, patience);
    const talk = await trial.send("go");
    await talk.until((updates) => JSON.stringify(updates).includes("one "), "the first word");
    await trial.redeploy();
    gate.resolve();
    expect(await talk.text()).toBe("one two");
    const methods = calls.map((body) => (JSON.parse(body) as { method: string }).method);
    expect(methods.slice(0, 2)).toEqual(["SendStreamingMessage", "SubscribeToTask"]);
    expect(methods).not.toContain("CancelTask");
  });

  it.each<[string, Handler, string, object]>([
    [
      "fails",
      ({ fail }) => fail("No seats", { code: "FULL" }),
      "TASK_STATE_FAILED",
      { words: "No seats", code: "FULL" },
    ],
    [
      "is rejected",
      ({ reject }) => reject("Not mine"),
      "TASK_STATE_REJECTED",
      { words: "Not mine" },
    ],
  ])("%s as the other agent does", async (_, run, state, expected) => {
    await using other = await openOther(run);
    await using trial = await tryAgent(await open(other), patience);
    const task = await (await trial.send("go")).task();
    expect(task.status.state).toBe(state);
    expect({ words: wordsOf(task), code: failureOf(task)?.code }).toEqual(expected);
  });

  it("fails when the other agent is gone, and says so", async () => {
    const other = await openOther(() => "hi");
    const gateway = await createGatewayAgent({
      reference: other.url,
      connection: { patience: { maxAttempts: 1, maxReconnects: 0 } },
    });
    await other.close();
    await using trial = await tryAgent(gateway, patience);
    const task = await (await trial.send("go")).task();
    expect(wordsOf(task)).toContain("the agent behind this one failed");
    expect(failureOf(task)?.code).toBe("BACKEND_FAILED");
  });

  it("needs an agent that is there", async () => {
    const other = await openOther(() => "hi");
    await other.close();
    await expect(open(other)).rejects.toThrow(other.url);
  });
});

describe.each([
  ["1.3.0", openSdk10],
  ["0.3.14", openSdk03],
  ["0.2.5", openSdk02],
])("an agent of the official SDK %s behind a gateway", (_, openSdk) => {
  it("answers, streams, asks and is canceled", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    await using other = await openSdk();
    const gateway = await createGatewayAgent({
      reference: other.url,
      connection: { patience: { pollMs: 20 } },
    });
    await using trial = await tryAgent(gateway, patience);
    const said = await (await trial.send("something")).task();
    expect(said.artifacts?.map(textOf)).toEqual(["You said: something"]);
    const streamed = await (await trial.send("stream 5 1")).task();
    expect(streamed.artifacts?.map(textOf)).toEqual([streamedText(5)]);
    const asking = await trial.send("ask");
    await asking.question();
    await asking.answer("Ada");
    expect((await asking.task()).artifacts?.map(textOf)).toEqual(["You said: Ada"]);
    const waiting = await trial.send("wait");
    await waiting.cancel();
    expect((await waiting.task()).status.state).toBe("TASK_STATE_CANCELED");
  });
});
