import { status } from "@grpc/grpc-js";
import type { ServiceError } from "@grpc/grpc-js";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect } from "@parley/a2a/client";
import { grpcTransports, openGrpcServer } from "@parley/a2a/grpc";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { A2AError } from "@parley/a2a";
import type { AgentService } from "@parley/a2a";
import type { Authenticator } from "@parley/a2a/auth";
import { agent } from "@parley/a2a/server";
import type { Agent } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { addressOf } from "../support/servers/open-served.js";
import { RawClient, reasonOf, say, say03 } from "../support/clients/raw-grpc-client.js";
import type { AgentsByPath } from "../../src/node/agent-mounts.js";
import { verifies } from "../spec/verifies.js";

function greeter(name: string): Agent {
  return agent({
    name,
    description: `${name} greets`,
    extendedCard: (card) => card,
    async *run({ tenant }) {
      yield { artifact: "greeting", text: `hello from ${name}${tenant ? ` to ${tenant}` : ""}` };
    },
  });
}

interface Open {
  readonly serving: Server;
  readonly client: RawClient;
}

async function open(served: AgentsByPath): Promise<Open> {
  const serving: Server = await serve(served, {
    port: 0,
    grpc: { port: 0, inCard: true },
    store: createMemoryStore(),
    settings: { extendedCardForAnyone: true },
  });
  const client = new RawClient(addressOf(serving));
  onTestFinished(async () => {
    client.close();
    await serving.close();
  });
  return { serving, client };
}

/** What an agent says to a call of 1.0 that names a tenant. */
async function greeting({ client }: Open, tenant?: string): Promise<unknown> {
  const named = tenant === undefined ? {} : { tenant };
  const { message, error } = await client.call("1.0", "SendMessage", { ...say("hi"), ...named });
  if (error !== undefined) throw error;
  return message;
}

function textOf(answer: unknown): string {
  return (answer as { task: { artifacts: [{ parts: [{ text: string }] }] } }).task.artifacts[0]
    .parts[0].text;
}

const agents = { "/a": greeter("Ada"), "/teams/b/": greeter("Bob") };

describe("agents under paths of one server", () => {
  it.each([
    ["a", "hello from Ada"],
    ["teams/b", "hello from Bob"],
    ["a/acme", "hello from Ada to acme"],
    ["teams/b/acme", "hello from Bob to acme"],
  ])("are meant by the tenant of a call: %s", async (tenant, text) => {
    verifies("tenant:grpc-field");
    expect(textOf(await greeting(await open(agents), tenant))).toBe(text);
  });

  it.each([
    ["none", undefined, /several agents are served here; name one/],
    ["one that there is not", "c", /no agent is served here under that tenant/],
    ["the beginning of a name", "teams", /no agent is served here under that tenant/],
    ["what only begins with a name", "ab", /no agent is served here under that tenant/],
  ])("are not guessed from %s", async (_, tenant, message) => {
    await expect(greeting(await open(agents), tenant)).rejects.toMatchObject({
      code: status.INVALID_ARGUMENT,
      details: expect.stringMatching(message) as string,
    });
  });

  it("cannot be meant by callers before 1.0, who are told what can be done", async () => {
    const { client } = await open(agents);
    const { error } = await client.call("0.3", "SendMessage", say03("hi"));
    expect(error?.code).toBe(status.UNIMPLEMENTED);
    expect(error?.details).toMatch(/use 1\.0, or another binding/);
  });

  it("leave calls that name none of them to the one at the root", async () => {
    const opened = await open({ ...agents, "/": greeter("Rita") });
    expect(textOf(await greeting(opened))).toBe("hello from Rita");
    expect(textOf(await greeting(opened, "acme"))).toBe("hello from Rita to acme");
    expect(textOf(await greeting(opened, "a"))).toBe("hello from Ada");
    const { message } = await opened.client.call("0.3", "SendMessage", say03("hi"));
    expect(JSON.stringify(message)).toContain("hello from Rita");
  });

  it("have the tasks over gRPC that they have over HTTP, and not each other's", async () => {
    const opened = await open(agents);
    const { task } = (await greeting(opened, "a")) as { task: { id: string } };
    const overHttp = await fetch(`${opened.serving.url}/a/tasks/${task.id}`);
    expect(overHttp.status).toBe(200);
    const get = async (tenant: string) =>
      opened.client.call("1.0", "GetTask", { tenant, id: task.id });
    expect((await get("a")).message).toMatchObject({ id: task.id });
    for (const other of ["teams/b", "a/acme"]) {
      expect(reasonOf((await get(other)).error)).toMatchObject({ reason: "TASK_NOT_FOUND" });
    }
  });

  it("say in their cards how they are meant, and only where they can be", async () => {
    const { serving } = await open({ ...agents, "/": greeter("Rita") });
    const grpcOf = async (path: string) => {
      const { card } = await connect(`${serving.url}${path}`);
      return card.supportedInterfaces
        .filter(({ protocolBinding }) => protocolBinding === "GRPC")
        .map(({ protocolVersion, tenant, url }) => [protocolVersion, tenant, url]);
    };
    const address = serving.grpcAddress;
    expect(await grpcOf("/a")).toEqual([["1.0", "a", address]]);
    expect(await grpcOf("/teams/b")).toEqual([["1.0", "teams/b", address]]);
    expect(await grpcOf("")).toEqual([
      ["1.0", undefined, address],
      ["0.3", undefined, address],
      ["0.2", undefined, address],
    ]);
  });

  it("are reached by a client that goes by their cards", async () => {
    const { serving } = await open(agents);
    for (const [path, name] of [
      ["/a", "Ada"],
      ["/teams/b", "Bob"],
    ]) {
      const remote = await connect(`${serving.url}${path}`, {
        bindings: ["GRPC"],
        transports: grpcTransports(),
      });
      expect(await remote.text("hi")).toBe(`hello from ${name}`);
      const extended = await remote.extendedCard();
      expect(extended.name).toBe(name);
      expect(extended.supportedInterfaces).toEqual([
        expect.objectContaining({ protocolBinding: "GRPC", tenant: path?.slice(1) }),
      ]);
    }
  });

  it("ask for their own credentials", async () => {
    const guarded: Authenticator = {
      challenges: ['Bearer realm="ada"'],
      authenticate: (shown) => {
        if (shown.header("authorization") !== "Bearer ada")
          throw new A2AError("UNAUTHENTICATED", "who?");
        return Promise.resolve({ subject: "ada", scopes: [] });
      },
      declareIn: (card) => card,
    };
    const opened = await open({
      "/a": { agent: greeter("Ada"), auth: guarded },
      "/b": { agent: greeter("Bob"), auth: false },
    });
    expect(textOf(await greeting(opened, "b"))).toBe("hello from Bob");
    await expect(greeting(opened, "a")).rejects.toSatisfy(
      ({ code, metadata }: ServiceError) =>
        code === status.UNAUTHENTICATED &&
        metadata.get("www-authenticate").includes('Bearer realm="ada"'),
    );
    const { message } = await opened.client.call(
      "1.0",
      "SendMessage",
      { ...say("hi"), tenant: "a" },
      { metadata: { authorization: "Bearer ada" } },
    );
    expect(textOf(message)).toBe("hello from Ada");
  });
});

describe("one agent below the root", () => {
  it("need not be named, and is named in its card", async () => {
    const opened = await open({ "/a": greeter("Ada") });
    expect(textOf(await greeting(opened))).toBe("hello from Ada");
    expect(textOf(await greeting(opened, "a"))).toBe("hello from Ada");
    const { message } = await opened.client.call("0.3", "SendMessage", say03("hi"));
    expect(JSON.stringify(message)).toContain("hello from Ada");
    const { card } = await connect(opened.serving.url);
    expect(card.supportedInterfaces).toContainEqual(
      expect.objectContaining({ protocolBinding: "GRPC", protocolVersion: "0.3" }),
    );
  });
});

it("serves no two agents by one name, and not none", async () => {
  const served = greeter("Ada");
  const hosted = { service: {} as AgentService, card: () => served.card([]) };
  const mounts = [
    { agent: hosted, path: "/a" },
    { agent: hosted, tenant: "a" },
  ];
  await expect(openGrpcServer({ mounts, port: 0 })).rejects.toThrow("two agents are mounted at /a");
  await expect(openGrpcServer({ mounts: [], port: 0 })).rejects.toThrow("no agent to serve");
});
