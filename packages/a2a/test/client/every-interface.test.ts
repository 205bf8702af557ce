import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "@parley/a2a/client";
import type { RemoteAgent } from "@parley/a2a/client";
import { grpcTransports } from "@parley/a2a/grpc";
import type { Server } from "@parley/a2a/node";
import { holdPort } from "../support/servers/hold-port.js";
import { extendedName, openDemo, streamedText } from "../support/servers/open-demo.js";
import { verifies } from "../spec/verifies.js";
import { ManualTimers } from "../support/time/manual-timers.js";
import { connectOver, interfaces, readAll, statesOf } from "./open-agent.js";

let demo: Server;
beforeAll(async () => {
  demo = await openDemo({ grpc: { port: 0 } });
});
afterAll(async () => {
  await demo[Symbol.asyncDispose]();
});

it("connects by a URL, a host, a card's URL or a card, to the first interface of the card", async () => {
  verifies("client:select-first", "client:interface-url");
  const host = demo.url.replace("http://", "");
  const card = `${demo.url}/.well-known/agent-card.json`;
  for (const reference of [demo.url, host, card]) {
    const agent = await connect(reference);
    expect(agent.card.name).toBe("Parley demo");
    const [first] = agent.card.supportedInterfaces;
    expect([agent.binding, agent.version, agent.url]).toEqual([
      first?.protocolBinding,
      first?.protocolVersion,
      first?.url,
    ]);
    expect(await (await connect(agent.card)).text("echo hi")).toBe("hi");
  }
});

describe.each(interfaces)("over %s in version %s", (binding, version) => {
  let agent: RemoteAgent;
  beforeAll(async () => {
    agent = await connectOver(demo.url, [binding, version], {
      grpcAddress: demo.grpcAddress,
      patience: { pollMs: 20 },
    });
  });

  it("says which interface was chosen", () => {
    expect([agent.binding, agent.version]).toEqual([binding, version]);
  });

  it("gets the text of a message and of a task, and rejects when a task fails or asks", async () => {
    expect(await agent.text("echo hello")).toBe("hello");
    expect(await agent.text("task haiku")).toBe("haiku");
    await expect(agent.text("fail")).rejects.toMatchObject({
      message: expect.stringContaining(
        'failed: "This task fails because you asked it to."',
      ) as string,
      task: { status: { state: "TASK_STATE_FAILED" } },
    });
    await expect(agent.text("flight")).rejects.toMatchObject({
      message: expect.stringContaining('asks for input: "Sure! Where would you like') as string,
      task: { status: { state: "TASK_STATE_INPUT_REQUIRED" } },
    });
  });

  it("calls an operation of the service without a context", async () => {
    const { task } = await agent.send("task one");
    expect((await agent.service.getTask({ id: task?.id ?? "" })).id).toBe(task?.id);
  });

  it("makes one task of what is sent twice with one key, and says when it is not the same", async () => {
    const idempotencyKey = `${binding} ${version}`;
    const { task } = await agent.send("task pay", { idempotencyKey });
    const again = await agent.send("task pay", { idempotencyKey });
    expect(again.task?.id).toBe(task?.id);
    await expect(agent.send("task more", { idempotencyKey })).rejects.toMatchObject({
      code: "INVALID_PARAMS",
      message: expect.stringContaining("another message") as string,
    });
  });

  it("is given up after a few calls where nobody is, and the error says where that is", async () => {
    await using held = await holdPort();
    const address = `127.0.0.1:${held.port}`;
    const url = binding === "GRPC" ? address : `http://${address}`;
    const supportedInterfaces = [{ url, protocolBinding: binding, protocolVersion: version }];
    const timers = new ManualTimers().rush();
    const options = { clock: timers, random: timers.random, transports: grpcTransports() };
    const nobody = await connect({ ...agent.card, supportedInterfaces }, options);
    for (const call of [() => readAll(nobody.stream("echo")), () => nobody.send("echo")]) {
      timers.delays.length = 0;
      await expect(call()).rejects.toMatchObject({
        code: "UNAVAILABLE",
        message: expect.stringContaining(address) as string,
      });
      expect(timers.delays.filter((ms) => ms < 60_000)).toEqual([200, 400, 800]);
    }
  });

  it("sends and waits for the task to end", async () => {
    const { task } = await agent.send("stream 3 1");
    expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
    expect(task?.artifacts?.flatMap(({ parts }) => parts.map((part) => part.text)).join("")).toBe(
      streamedText(3),
    );
  });

  it("streams a task until it has ended", async () => {
    const { events, text } = await readAll(agent.stream("stream 5 1"));
    expect(text).toBe(streamedText(5));
    expect(statesOf(events).at(-1)).toBe("COMPLETED");
  });

  it("streams a message", async () => {
    const { events } = await readAll(agent.stream("echo hello"));
    // In 0.1 everything is a task.
    expect(events.at(-1)?.kind).toBe(version === "0.1" ? "status" : "message");
  });

  it("sends files and data, and receives a file", async () => {
    const blob = new File([Uint8Array.of(1, 2, 255)], "three.bin", { type: "application/x-three" });
    const { task } = await agent.send(["file", blob, { data: { answer: 42 } }]);
    const file = task?.artifacts?.[0]?.parts[0];
    expect(file).toMatchObject({ filename: "report.csv", mediaType: "text/csv" });
    expect(atob(file?.raw ?? "")).toBe("name,value\nanswer,42\n");
    if (task?.history === undefined) return;
    expect(task.history[0]?.parts).toMatchObject([
      { text: "file" },
      { raw: "AQL/", filename: "three.bin", mediaType: "application/x-three" },
      { data: { answer: 42 } },
    ]);
  });

  it("gets, cancels and watches a task", async () => {
    const started = await agent.start("wait 30");
    if (started.kind !== "task") throw new Error("expected a task");
    expect((await agent.task(started.id)).id).toBe(started.id);
    const watched = readAll(agent.watch(started.id));
    await started.cancel();
    expect(statesOf((await watched).events).at(-1)).toBe("CANCELED");
    expect((await agent.task(started.id)).status.state).toBe("TASK_STATE_CANCELED");
    expect(statesOf((await readAll(agent.watch(started.id))).events)).toEqual(["CANCELED"]);
    const { task } = await agent.send("task one");
    const cancel = agent.cancel(task?.id ?? "");
    await expect(cancel).rejects.toMatchObject({ code: "TASK_NOT_CANCELABLE" });
  });

  it("says that there is no such task", async () => {
    await expect(agent.task("none")).rejects.toMatchObject({ code: "TASK_NOT_FOUND" });
    await expect(readAll(agent.watch("none"))).rejects.toMatchObject({ code: "TASK_NOT_FOUND" });
  });

  it("answers the agent's questions", async () => {
    const questions: string[] = [];
    const answers = ["Berlin to Tokyo", "in May"];
    const { task } = await agent.send("flight", {
      onInputRequired(question) {
        questions.push(question?.parts[0]?.text ?? "");
        return answers.shift();
      },
    });
    expect(questions).toEqual([
      "Sure! Where would you like to fly to, and from where?",
      "And on which dates?",
    ]);
    expect(task?.artifacts?.[0]?.parts[0]?.data).toEqual({
      confirmationId: "XYZ123",
      route: "Berlin to Tokyo",
      dates: "in May",
    });
  });

  it("follows a task over its questions in one stream, and tells nothing of it twice", async () => {
    const answers = ["Berlin to Tokyo", "in May"];
    const { events } = await readAll(
      agent.stream("flight", { onInputRequired: () => answers.shift() }),
    );
    const questions = events.filter(
      (event) => event.kind === "status" && event.status.state === "TASK_STATE_INPUT_REQUIRED",
    );
    expect(questions).toHaveLength(2);
    expect(statesOf(events).at(-1)).toBe("COMPLETED");
    expect(events.filter(({ kind }) => kind === "artifact")).toHaveLength(2);
    expect(events.filter(({ kind }) => kind === "task").length).toBeLessThan(2);
  });

  it("ends where the agent waits, without answers", async () => {
    const { task } = await agent.send("flight");
    expect(task?.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    const { events } = await readAll(agent.stream("auth"));
    // 0.1 knows of one way to wait only.
    const waiting = version === "0.1" ? "INPUT_REQUIRED" : "AUTH_REQUIRED";
    expect(statesOf(events).at(-1)).toBe(waiting);
  });

  it.runIf(version !== "0.1")("hands a wait for authorization to the caller", async () => {
    const { task } = await agent.send("auth", {
      onAuthRequired: (question) => {
        expect(question?.parts[0]?.text).toContain("https://auth.example/demo");
        return "done";
      },
    });
    expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  it("replies to a task that it has started, and waits for it", async () => {
    const started = await agent.start("flight");
    if (started.kind !== "task") throw new Error("expected a task");
    expect((await started.done()).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    await started.reply("Berlin to Tokyo");
    expect((await started.done()).status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    await started.reply("in May");
    expect((await started.done()).status.state).toBe("TASK_STATE_COMPLETED");
    expect(started.artifacts.map(({ name }) => name)).toContain("FlightItinerary.json");
  });

  it.runIf(version === "1.0")("lists tasks, page after page", async () => {
    verifies("list:client-last-page");
    const { task } = await agent.send("task one", { contextId: `list-${binding}` });
    await agent.send("task two", { contextId: `list-${binding}` });
    const found: string[] = [];
    for await (const one of agent.tasks({ contextId: `list-${binding}`, pageSize: 1 })) {
      found.push(one.id);
    }
    expect(found).toHaveLength(2);
    expect(found).toContain(task?.id);
  });

  it.runIf(version !== "1.0")("says that this version lists no tasks", async () => {
    const { value } = await agent
      .tasks()
      .next()
      .catch((error: unknown) => ({ value: error }));
    if (binding !== "HTTP+JSON") expect(value).toMatchObject({ code: "UNSUPPORTED_OPERATION" });
  });

  it("sets, gets, lists and deletes push notifications", async () => {
    const { task } = await agent.send("flight");
    const taskId = task?.id ?? "";
    const call = { version };
    const config = { taskId, id: "one", url: "https://example.com/hook", token: "t" };
    const created = await agent.service.createTaskPushNotificationConfig(config, call);
    expect(created).toMatchObject({ taskId, url: config.url });
    const id = created.id ?? "one";
    expect(await agent.service.getTaskPushNotificationConfig({ taskId, id }, call)).toMatchObject({
      url: config.url,
    });
    if (version === "0.1") return;
    const { configs } = await agent.service.listTaskPushNotificationConfigs({ taskId }, call);
    expect(configs).toHaveLength(1);
    await agent.service.deleteTaskPushNotificationConfig({ taskId, id }, call);
    expect(await agent.service.listTaskPushNotificationConfigs({ taskId }, call)).toEqual({});
  });

  it.runIf(version !== "0.1")("gets the extended card", async () => {
    expect((await agent.extendedCard()).name).toBe(extendedName);
  });
});
