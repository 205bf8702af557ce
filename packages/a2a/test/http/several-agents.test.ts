import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { connect } from "@parley/a2a/client";
import type { Mount } from "@parley/a2a/http";
import { createNodeListener } from "@parley/a2a/node";
import { agent, openRuntime } from "@parley/a2a/server";
import type { Agent } from "@parley/a2a/server";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { verifies } from "../spec/verifies.js";
import { call, jsonOf, rpc, say, sayEarlier, send } from "../support/clients/http-client.js";
import type { SendOptions } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import { createStubService } from "./stub-service.js";

function greeter(name: string): Agent {
  return agent({
    name,
    description: `${name} greets`,
    async *run() {
      yield { artifact: "greeting", text: `hello from ${name}` };
    },
  });
}

const modern = "/.well-known/agent-card.json";
const extended = "/agent/authenticatedExtendedCard";

describe("agents under paths of one server", () => {
  const agents = { "/a": greeter("Ada"), "/b/": greeter("Bob"), c: greeter("Cleo") };

  it.each([
    ["/a", "Ada"],
    ["/b", "Bob"],
    ["/c", "Cleo"],
  ])("have their own cards: %s is %s", async (path, name) => {
    await using server = await openServer({ agent: agents });
    const card = jsonOf(await send(server.url, `GET ${path}${modern}`));
    expect(card).toMatchObject({ name, url: `${server.url}${path}` });
  });

  it.each([
    ["JSON-RPC", "/a", rpc("SendMessage", say("hi"))],
    ["JSON-RPC below a slash", "/a/", rpc("SendMessage", say("hi"))],
    ["REST", "/a/message:send", { json: say("hi") }],
    ["REST of a tenant", "/a/acme/message:send", { json: say("hi") }],
    ["REST of 0.3", "/a/v1/message:send", { json: sayEarlier("hi") }],
  ])("are called at their own URLs by %s", async (_, path, options) => {
    await using server = await openServer({ agent: agents });
    const answer = jsonOf(await send(server.url, `POST ${path}`, options));
    const { task } = answer.result ?? answer;
    expect(task.artifacts[0].parts[0].text).toBe("hello from Ada");
  });

  it("do not see each other's tasks", async () => {
    await using server = await openServer({ agent: agents });
    const answer = jsonOf(await send(server.url, "POST /a/message:send", { json: say("hi") }));
    const { id } = answer.task;
    expect((await send(server.url, `GET /a/tasks/${id}`)).status).toBe(200);
    expect((await send(server.url, `GET /b/tasks/${id}`)).status).toBe(404);
    expect((await send(server.url, `POST /b/tasks/${id}:cancel`)).status).toBe(404);
    expect(jsonOf(await send(server.url, "GET /a/tasks")).totalSize).toBe(1);
    expect(jsonOf(await send(server.url, "GET /b/tasks")).totalSize).toBe(0);
  });

  it.each(["/", "/ab", "/a.b", "/d/message:send", modern])("are nowhere else: %s", async (path) => {
    await using server = await openServer({ agent: agents });
    const answer = await send(server.url, `GET ${path}`);
    expect([answer.status, answer.headers["content-type"]]).toEqual([
      404,
      "text/plain; charset=utf-8",
    ]);
  });

  it("leave health and readiness at the root", async () => {
    await using server = await openServer({ agent: agents });
    expect(await send(server.url, "GET /healthz")).toMatchObject({ status: 200, text: "ok\n" });
    expect(await send(server.url, "GET /readyz")).toMatchObject({
      status: 200,
      text: '{"status":"ready"}\n',
    });
  });

  it("may be one agent at two paths, which then share its tasks", async () => {
    const ada = greeter("Ada");
    await using server = await openServer({ agent: { "/": ada, "/ada": ada } });
    const answer = jsonOf(await send(server.url, "POST /message:send", { json: say("hi") }));
    expect((await send(server.url, `GET /ada/tasks/${answer.task.id}`)).status).toBe(200);
  });

  it("may have paths that URLs have to escape", async () => {
    await using server = await openServer({ agent: { "/my agent": greeter("Ada") } });
    const answer = await send(server.url, "POST /my%20agent/message:send", { json: say("hi") });
    expect(answer.text).toContain("hello from Ada");
    const card = jsonOf(await send(server.url, `GET /my%20agent${modern}`));
    expect(card.url).toBe(`${server.url}/my%20agent`);
  });

  it("are where their paths say, and nowhere above", async () => {
    await using server = await openServer({ agent: { "//a/b": greeter("Ada") } });
    const card = jsonOf(await send(server.url, `GET //a/b${modern}`));
    expect(card.url).toBe(`${server.url}//a/b`);
    expect((await send(server.url, "GET /b")).status).toBe(404);
  });

  it("have no paths that URLs cannot have", async () => {
    const agents = { "/a?b": greeter("Ada") };
    await expect(openServer({ agent: agents })).rejects.toThrow("/a?b is not the path of a URL");
  });

  it("must have different names, since tasks are kept by them", async () => {
    const twins = { "/a": greeter("Ada"), "/b": greeter("Ada") };
    await expect(openServer({ agent: twins })).rejects.toThrow('two agents are called "Ada"');
  });
});

describe("one agent below the root", () => {
  it.each([
    ["at the origin", modern],
    ["at its own path", `/teams/a${modern}`],
    ["at the origin, as in 0.1", "/.well-known/agent.json"],
  ])("has its card %s", async (_, path) => {
    await using server = await openServer({ agent: { "/teams/a": greeter("Ada") } });
    const answer = await send(server.url, `GET ${path}`);
    expect(jsonOf(answer).url).toBe(`${server.url}/teams/a`);
  });

  it.each([`/teams${extended}`, `/teams/a${extended}`])(
    "has its extended one at %s",
    async (path) => {
      await using server = await openServer({ agent: { "/teams/a": greeter("Ada") } });
      const answer = await send(server.url, `GET ${path}`);
      expect(jsonOf(answer).data.reason).toBe("UNSUPPORTED_OPERATION");
    },
  );

  it("says so to a browser that opens its URL", async () => {
    await using server = await openServer({ agent: { "/a": greeter("Ada") } });
    const answer = await send(server.url, "GET /a");
    expect(answer.status).toBe(200);
    expect(answer.text).toContain(`/a${modern}`);
  });
});

describe("a tenant", () => {
  const tenant = "acme";

  it.each<readonly [string, string, SendOptions]>([
    ["in JSON-RPC params", "POST /", rpc("SendMessage", { ...say("task x"), tenant })],
    ["in the path", `POST /${tenant}/message:send`, { json: say("task x") }],
    ["in the query", `POST /message:send?tenant=${tenant}`, { json: say("task x") }],
    ["in the body", "POST /message:send", { json: { ...say("task x"), tenant } }],
  ])("%s keeps its tasks to itself", async (_, route, options) => {
    verifies("tenant:jsonrpc-param", "tenant:rest-path");
    await using server = await openServer();
    const answer = jsonOf(await send(server.url, route, options));
    const { id } = (answer.result ?? answer).task;
    const statusOf = async (path: string) => (await send(server.url, `GET ${path}`)).status;
    expect(await statusOf(`/acme/tasks/${id}`)).toBe(200);
    expect(await statusOf(`/tasks/${id}?tenant=acme`)).toBe(200);
    expect(await statusOf(`/tasks/${id}`)).toBe(404);
    expect(await statusOf(`/other/tasks/${id}`)).toBe(404);
    const { result } = await call(server.url, "GetTask", { id, tenant: "acme" });
    expect(result.id).toBe(id);
    const { error } = await call(server.url, "GetTask", { id });
    expect(error.code).toBe(-32001);
  });

  it("cannot be two", async () => {
    await using server = await openServer();
    const answer = await send(server.url, "GET /acme/tasks?tenant=other");
    expect(answer.status).toBe(400);
  });
});

describe("agents of several tenants at one path", () => {
  async function openTenants(mounts: readonly Omit<Mount, "agent">[]) {
    const store = createMemoryStore();
    const hosted = await Promise.all(
      mounts.map(async (mount) => {
        const served = greeter(mount.tenant ?? "everyone");
        return { ...mount, agent: await openRuntime({ agent: served, store }) };
      }),
    );
    const server = createServer(createNodeListener({ mounts: hosted }));
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
        await Promise.all(hosted.map(({ agent: runtime }) => runtime.close()));
      },
    };
  }

  const both = [{ tenant: "acme" }, { tenant: "initech" }];
  const textOf = (answer: { text: string }): string => {
    const body = jsonOf(answer);
    return (body.result ?? body).task.artifacts[0].parts[0].text;
  };

  it.each(["acme", "initech"])("answer by tenant: %s", async (tenant) => {
    await using server = await openTenants(both);
    const byPath = await send(server.url, `POST /${tenant}/message:send`, { json: say("hi") });
    expect(textOf(byPath)).toBe(`hello from ${tenant}`);
    const byParams = await send(server.url, "POST /", rpc("SendMessage", { ...say("hi"), tenant }));
    expect(textOf(byParams)).toBe(`hello from ${tenant}`);
    const card = jsonOf(await send(server.url, `GET /${tenant}${modern}`));
    expect(card.name).toBe(tenant);
    expect(card.supportedInterfaces[0]).toMatchObject({ url: server.url, tenant });
  });

  it("refuse a tenant that there is not, and calls without one", async () => {
    await using server = await openTenants(both);
    for (const route of ["GET /nobody/tasks", "GET /tasks", "GET /v1/tasks"]) {
      const answer = await send(server.url, route);
      expect(answer.status).toBe(400);
      expect(answer.text).toContain("tenant");
    }
  });

  it.each(["acme", "initech"])(
    "have URLs of their own for callers before 1.0: %s",
    async (name) => {
      await using server = await openTenants(both);
      const headers = { "A2A-Version": "0.3" };
      const card = jsonOf(await send(server.url, `GET /${name}${modern}`, { headers }));
      expect(card.url).toBe(`${server.url}/${name}`);
      for (const [route, options] of [
        [`POST /${name}`, rpc("message/send", sayEarlier("hi"))],
        [`POST /${name}/`, rpc("message/send", sayEarlier("hi"))],
        [`POST /${name}/v1/message:send`, { json: sayEarlier("hi") }],
      ] as const) {
        expect((await send(server.url, route, options)).text).toContain(`hello from ${name}`);
      }
      const remote = await connect(`${server.url}/${name}`, { versions: ["0.2"] });
      expect([remote.version, remote.url]).toEqual(["0.2", `${server.url}/${name}`]);
      expect(await remote.text("hi")).toBe(`hello from ${name}`);
    },
  );

  it.each([
    ["is a path of the protocol", "tasks"],
    ["is none that a URL keeps", ".."],
  ])("list none before 1.0 where the tenant's name %s", async (_, tenant) => {
    await using server = await openTenants([{ tenant }, { tenant: "acme" }]);
    const card = jsonOf(await send(server.url, `GET /${tenant}${modern}`));
    expect(card.supportedInterfaces).toEqual([
      expect.objectContaining({ protocolBinding: "JSONRPC", protocolVersion: "1.0" }),
      expect.objectContaining({ protocolBinding: "HTTP+JSON", protocolVersion: "1.0" }),
    ]);
    expect((await send(server.url, "GET /acme/tasks")).status).toBe(200);
  });

  it("list them where the tenant is alone, however it is called", async () => {
    await using server = await openTenants([{ tenant: "org:acme" }, { path: "/b", tenant: "b" }]);
    const remote = await connect(server.url, { versions: ["0.3"] });
    expect(remote.url).toBe(server.url);
    expect(await remote.text("hi")).toBe("hello from org:acme");
  });

  it("have their card at the origin, too, if they are the only ones below it", async () => {
    const path = "/teams/a";
    await using server = await openTenants(both.map((mount) => ({ ...mount, path })));
    const card = jsonOf(await send(server.url, `GET ${modern}`));
    expect([card.name, card.url]).toEqual(["acme", `${server.url}${path}/acme`]);
  });

  it("leave the rest to one without a tenant", async () => {
    await using server = await openTenants([...both, {}]);
    const answer = await send(server.url, "POST /message:send", { json: say("hi") });
    expect(textOf(answer)).toBe("hello from everyone");
    expect(jsonOf(await send(server.url, `GET ${modern}`)).name).toBe("everyone");
  });

  it("need not be named where there is only one, as callers before 1.0 cannot", async () => {
    await using server = await openTenants([{ tenant: "acme" }]);
    const answer = jsonOf(await send(server.url, "POST /", rpc("message/send", sayEarlier("hi"))));
    expect(answer.result.artifacts[0].parts[0].text).toBe("hello from acme");
    expect((await send(server.url, "GET /other/tasks")).status).toBe(400);
  });

  it("cannot be two of the same", async () => {
    const served = greeter("Ada");
    const card = () => served.card([]);
    const mount = { agent: { service: createStubService(() => expect.fail("not called")), card } };
    expect(() => createNodeListener({ mounts: [mount, { ...mount, path: "/" }] })).toThrow(
      "two agents are mounted at /",
    );
  });

  it.each([{}, { tenant: "initech" }])(
    "do not have another at the URL of a tenant: %j",
    async (other) => {
      const mounts = [{ tenant: "acme" }, { path: "/acme", ...other }];
      await expect(openTenants(mounts)).rejects.toThrow("two agents are mounted at /acme");
    },
  );
});
