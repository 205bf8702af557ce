import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connect } from "@parley/a2a/client";
import type { RemoteAgent } from "@parley/a2a/client";
import { grpcTransports } from "@parley/a2a/grpc";
import { streamedText } from "../support/servers/open-demo.js";
import { readAll, statesOf } from "./open-agent.js";
import { extendedSdkName, openSdk02, openSdk03, openSdk10 } from "./sdk-servers.js";
import type { SdkServer } from "./sdk-servers.js";

// The SDK writes to the console whatever it refuses.
for (const method of ["error", "warn", "log"] as const) {
  vi.spyOn(console, method).mockImplementation(() => undefined);
}

const servers = [
  { sdk: "1.3.0", open: openSdk10, binding: "JSONRPC", version: "1.0" },
  { sdk: "1.3.0", open: openSdk10, binding: "HTTP+JSON", version: "1.0" },
  { sdk: "1.3.0", open: openSdk10, binding: "GRPC", version: "1.0" },
  { sdk: "0.3.14", open: openSdk03, binding: "JSONRPC", version: "0.3" },
  { sdk: "0.3.14", open: openSdk03, binding: "HTTP+JSON", version: "0.3" },
  { sdk: "0.3.14", open: openSdk03, binding: "GRPC", version: "0.3" },
  { sdk: "0.2.5", open: openSdk02, binding: "JSONRPC", version: "0.2" },
] as const;

describe.each(servers)("the official SDK $sdk over $binding", ({ open, binding, version }) => {
  let server: SdkServer;
  let agent: RemoteAgent;
  beforeAll(async () => {
    server = await open();
    agent = await connect(server.url, {
      bindings: [binding],
      transports: grpcTransports(),
      patience: { pollMs: 20 },
    });
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  it("is connected to in its version", () => {
    expect([agent.binding, agent.version]).toEqual([binding, version]);
  });

  it("answers with a message and with a task", async () => {
    expect(await agent.text("echo hello")).toBe("hello");
    expect(await agent.text("something")).toBe("You said: something");
    const { task } = await agent.service.sendMessage(
      { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "blocking" }] } },
      { version },
    );
    expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
  });

  it("streams", async () => {
    const { events, text } = await readAll(agent.stream("stream 5 1"));
    expect(text).toBe(streamedText(5));
    expect(statesOf(events)).toEqual(["SUBMITTED", "WORKING", "COMPLETED"]);
  });

  it("asks", async () => {
    const { task } = await agent.send("ask", { onInputRequired: () => "Ada" });
    expect(task?.status.state).toBe("TASK_STATE_COMPLETED");
    expect(task?.artifacts?.[0]?.parts[0]?.text).toBe("You said: Ada");
  });

  it("is watched, looked at and canceled", async () => {
    const started = await agent.start("wait");
    if (started.kind !== "task") throw new Error("expected a task");
    expect((await agent.task(started.id)).id).toBe(started.id);
    const watched = readAll(agent.watch(started.id));
    await started.cancel();
    expect(statesOf((await watched).events).at(-1)).toBe("CANCELED");
    expect(statesOf((await readAll(agent.watch(started.id))).events)).toEqual(["CANCELED"]);
    const { task } = await agent.send("something");
    const cancel = agent.cancel(task?.id ?? "");
    await expect(cancel).rejects.toMatchObject({ code: "TASK_NOT_CANCELABLE" });
    await expect(agent.task("none")).rejects.toMatchObject({ code: "TASK_NOT_FOUND" });
  });

  it("tells all of a task that is watched from its middle", async () => {
    const started = await agent.start("stream 8 10");
    if (started.kind !== "task") throw new Error("expected a task");
    const { text } = await readAll(agent.watch(started.id));
    expect(text).toBe(streamedText(8));
  });

  it("keeps push notifications", async () => {
    const { task } = await agent.send("ask");
    const taskId = task?.id ?? "";
    const config = { taskId, id: "one", url: "https://example.com/hook", token: "t" };
    const created = await agent.service.createTaskPushNotificationConfig(config, { version });
    expect(created).toMatchObject({ taskId, url: config.url });
    const id = created.id ?? "one";
    const got = await agent.service.getTaskPushNotificationConfig({ taskId, id }, { version });
    expect(got).toMatchObject({ taskId, url: config.url });
    if (version === "0.2") return;
    const { configs } = await agent.service.listTaskPushNotificationConfigs(
      { taskId },
      { version },
    );
    expect(configs?.map(({ url }) => url)).toEqual([config.url]);
    await agent.service.deleteTaskPushNotificationConfig({ taskId, id }, { version });
    expect(await agent.service.listTaskPushNotificationConfigs({ taskId }, { version })).toEqual(
      {},
    );
  });

  it.runIf(version !== "0.2")("gives its extended card", async () => {
    expect((await agent.extendedCard()).name).toBe(extendedSdkName);
  });

  it.runIf(version === "1.0")("lists tasks", async () => {
    const { task } = await agent.send("listed", { contextId: `list ${binding}` });
    const found: string[] = [];
    for await (const one of agent.tasks({ contextId: `list ${binding}` })) found.push(one.id);
    expect(found).toEqual([task?.id]);
  });
});
