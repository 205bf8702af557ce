import { describe, expect, it } from "vitest";
import type { AgentCard, Task } from "@parley/a2a";
import { apiKey, createAuthenticator, createKey } from "@parley/a2a/auth";
import { connect } from "@parley/a2a/client";
import { agent } from "@parley/a2a/server";
import type { AgentDefinition } from "@parley/a2a/server";
import { verifies } from "../spec/verifies.js";
import { RawClient } from "../support/clients/raw-grpc-client.js";
import { openReceiver } from "../support/servers/open-receiver.js";
import { openServer } from "../support/servers/open-server.js";

/** Says something in every way there is. */
const talking: AgentDefinition = {
  name: "Talker",
  description: "Talks",
  version: "2.0.0",
  inputModes: ["text/plain"],
  skills: [{ name: "See", inputModes: ["image/png"] }, { name: "Talk" }],
  capabilities: { pushNotifications: true },
  async *run({ text }) {
    if (text === "directly") return "hello";
    yield { status: "Working on it" };
    yield "a";
    yield { artifact: "file", data: { a: 1 } };
    yield { artifact: "file", text: "b", append: true };
    return "done";
  },
};

const talker = agent(talking);

const utc = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** Finds every object with a member of this name, however deep it is. */
function objectsWith(name: string, value: unknown): readonly Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap((one) => objectsWith(name, one));
  return name in value ? [value as Record<string, unknown>, ...below] : below;
}

describe("what a server sends in 1.0", () => {
  async function everything(): Promise<readonly unknown[]> {
    await using server = await openServer({ agent: talker });
    const remote = await connect(server.url, { versions: ["1.0"], bindings: ["HTTP+JSON"] });
    const sent: unknown[] = [];
    const read = async (path: string, body?: object): Promise<unknown> => {
      const response = await fetch(`${server.url}${path}`, {
        ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
        headers: { "A2A-Version": "1.0", "Content-Type": "application/json" },
      });
      const text = await response.text();
      const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
      const data = isStream === true ? text.split("\n").flatMap(dataOf) : [text];
      const documents = data.map((one) => JSON.parse(one) as unknown);
      sent.push(...documents);
      return documents[0];
    };
    const message = (text: string) => ({
      message: { messageId: crypto.randomUUID(), role: "ROLE_USER", parts: [{ text }] },
    });
    await read("/message:send", message("directly"));
    await read("/message:stream", message("go"));
    const { task } = (await read("/message:send", message("go"))) as { task: Task };
    await read(`/tasks/${task.id}`);
    await read("/tasks?includeArtifacts=true");
    expect(remote.card.name).toBe("Talker");
    return sent;
  }

  function dataOf(line: string): readonly string[] {
    return line.startsWith("data:") ? [line.slice(5)] : [];
  }

  it("has every member that the protocol requires, and no required list that is empty", async () => {
    verifies("json:required-present", "json:required-array", "task:state-required");
    const sent = await everything();
    const tasks = objectsWith("status", sent).filter((one) => !("state" in one));
    expect(tasks.length).toBeGreaterThan(6);
    for (const one of tasks) {
      expect(one).toMatchObject({
        status: { state: expect.stringMatching(/^TASK_STATE_/) as string },
      });
      expect("id" in one || "taskId" in one).toBe(true);
    }
    const messages = objectsWith("role", sent);
    expect(messages.length).toBeGreaterThan(6);
    for (const one of messages) {
      expect(one).toMatchObject({
        messageId: expect.any(String) as string,
        role: expect.stringMatching(/^ROLE_/) as string,
      });
      expect(one["parts"]).toHaveProperty("0");
    }
    const artifacts = objectsWith("artifactId", sent);
    expect(artifacts.length).toBeGreaterThan(6);
    for (const one of artifacts) expect(one["parts"]).toHaveProperty("0");
  });

  it("names the context of every message, and tells moments in UTC", async () => {
    verifies("message:server-context", "json:timestamp-format");
    const sent = await everything();
    for (const one of objectsWith("role", sent)) {
      expect(one).toMatchObject({ contextId: expect.stringMatching(/./) as string });
    }
    const moments = objectsWith("timestamp", sent).map(({ timestamp }) => timestamp);
    expect(moments.length).toBeGreaterThan(6);
    for (const moment of moments) expect(moment).toMatch(utc);
  });
});

it("a push configuration that is deleted over gRPC is answered with an empty message", async () => {
  verifies("grpc:delete-empty");
  await using server = await openServer({ agent: talker, grpc: { port: 0 } });
  const remote = await connect(server.url);
  const { task } = await remote.send("go");
  const taskId = task?.id ?? "";
  const config = { taskId, id: "c", url: "https://client.example/hook" };
  await remote.service.createTaskPushNotificationConfig(config);
  const raw = new RawClient(server.grpcAddress ?? "");
  const { error, message } = await raw.call("1.0", "DeleteTaskPushNotificationConfig", {
    taskId,
    id: "c",
  });
  expect(error).toBeUndefined();
  expect(message).toEqual({});
  raw.client.close();
});

it("a link to a file reaches the agent as it is, and the server fetches nothing", async () => {
  verifies("security:file-references");
  await using elsewhere = await openReceiver();
  const links: unknown[] = [];
  const reader = agent({
    name: "Reader",
    description: "Reads",
    inputModes: ["*/*"],
    run: ({ message }) => void links.push(...message.parts.map(({ url }) => url)),
  });
  await using server = await openServer({ agent: reader });
  const remote = await connect(server.url);
  await remote.send({ url: `${elsewhere.url}/a.png`, mediaType: "image/png" });
  expect(links).toEqual([`${elsewhere.url}/a.png`]);
  expect(elsewhere.received).toEqual([]);
});

describe("a card", () => {
  it("tells clients the modes of a skill beside those of the agent, and holds no secret", async () => {
    verifies(
      "card:skill-modes",
      "card:no-secrets",
      "extended-card:no-secrets",
      "extended-card:versioned",
    );
    const { key, hash } = await createKey();
    const auth = createAuthenticator({
      schemes: { key: apiKey({ in: "header", name: "X-Key", keys: [{ subject: "ada", hash }] }) },
    });
    await using server = await openServer({
      agent: agent({
        ...talking,
        extendedCard: (card) => ({ ...card, version: "2.0.1" }),
      }),
      auth,
    });
    const remote = await connect(server.url, { credentials: { key } });
    const extended = await remote.extendedCard();
    for (const card of [remote.card, extended]) {
      expect(card.skills.map(({ inputModes }) => inputModes)).toEqual([["image/png"], undefined]);
      expect(card.defaultInputModes).toEqual(["text/plain"]);
      expect(JSON.stringify(card)).not.toContain(hash);
      expect(JSON.stringify(card)).not.toContain(key);
    }
    expect([remote.card.version, extended.version]).toEqual(["2.0.0", "2.0.1"]);
  });

  it("may offer a binding of its own by a URI, which clients with a transport for it use", async () => {
    verifies("card:custom-binding-declared", "card:custom-binding-uri");
    const binding = "https://acme.example/bindings/pigeon/v1";
    const own = { url: "pigeon://acme", protocolBinding: binding, protocolVersion: "1.0" };
    await using server = await openServer({ agent: talker });
    const { card, service } = await connect(server.url);
    const offered: AgentCard = { ...card, supportedInterfaces: [own, ...card.supportedInterfaces] };
    const opened: unknown[] = [];
    const remote = await connect(offered, {
      transports: {
        [binding]: (chosen) => {
          opened.push(chosen);
          return service;
        },
      },
    });
    expect([remote.binding, remote.url]).toEqual([binding, "pigeon://acme"]);
    expect(opened).toEqual([own]);
    expect(await remote.text("directly")).toBe("hello");
    expect(talker.card([own]).supportedInterfaces).toEqual([own]);
  });
});
