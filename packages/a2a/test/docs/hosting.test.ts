import { describe, expect, it } from "vitest";
import { connect } from "@parley/a2a/client";
import type { ConnectOptions } from "@parley/a2a/client";
import { grpcTransports } from "@parley/a2a/grpc";
import { agent } from "@parley/a2a/server";
import { jsonOf, open, rpc, say, send } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";
import { describePage } from "./describe-page.js";
import type { Running } from "./documented-code.js";
import { blocksOf } from "./page.js";

const urlOf = (running: Running): string => `http://127.0.0.1:${running.portFor(4100)}`;

async function ask(url: string, options: ConnectOptions = {}): Promise<string> {
  const agent = await connect(url, options);
  return agent.text("hi");
}

const overGrpc = (): ConnectOptions => ({ transports: grpcTransports(), bindings: ["GRPC"] });

describePage("docs/hosting.md", (code) => {
  it("serve.ts has two agents, over gRPC too, and ends by itself", async () => {
    await using running = await code().run("serve", [4100, 4101]);
    for (const [path, answer] of [
      ["/travel", "This is Travel"],
      ["/hotels", "This is Hotels"],
    ]) {
      expect(await ask(`${urlOf(running)}${path}`)).toBe(answer);
      expect(await ask(`${urlOf(running)}${path}`, overGrpc())).toBe(answer);
    }
    expect(await running.stop("SIGTERM")).toBe(0);
  });

  describe.each(["express", "hono"])("%s.ts", (name) => {
    it.each(["1.0", "0.3", "0.2"] as const)("answers %s beside other routes", async (version) => {
      await using running = await code().run(name, [4100]);
      const url = urlOf(running);
      expect((await send(url, "GET /")).text).toBe("home");
      expect(await ask(`${url}/agents/echo`, { versions: [version] })).toBe("You said: hi");
      const card = await send(url, "GET /agents/echo/.well-known/agent-card.json");
      expect(jsonOf(card).url).toBe(`${url}/agents/echo`);
      expect((await send(url, "GET /agents/echo/readyz")).status).toBe(200);
    });
  });

  it("worker.ts answers requests", async () => {
    const { default: worker } = (await code().load("worker")) as {
      default: { fetch(request: Request): Promise<Response> };
    };
    const fetch: typeof globalThis.fetch = (url, init) => worker.fetch(new Request(url, init));
    expect(await ask("https://echo.example.com", { fetch })).toBe("You said: hi");
  });

  it("node.ts answers, says that it is ready, and ends by itself", async () => {
    await using running = await code().run("node", [4100]);
    expect(await ask(urlOf(running))).toBe("You said: hi");
    expect((await send(urlOf(running), "GET /readyz")).status).toBe(200);
    expect(await running.stop("SIGTERM")).toBe(0);
  });

  it("fetch.ts answers, whatever else it is sent, and whoever leaves a stream", async () => {
    await using running = await code().run("fetch", [4100]);
    const url = urlOf(running);
    expect(await ask(url)).toBe("You said: hi");
    expect(await ask(url, { bindings: ["HTTP+JSON"], versions: ["0.3"] })).toBe("You said: hi");
    const incoming = await open(url, "POST /", rpc("SendStreamingMessage", say("hi")));
    incoming.destroy();
    for (const [route, headers] of [
      ["TRACE /", {}],
      ["GET /", { Host: "no host" }],
    ] as const) {
      await expect(open(url, route, { headers })).rejects.toThrow("socket hang up");
    }
    expect(await ask(url)).toBe("You said: hi");
  });

  it("pushing.ts publishes its keys, and says in its card where", async () => {
    await using running = await code().run("pushing", [4100]);
    const url = urlOf(running);
    expect(jsonOf(await send(url, "GET /.well-known/jwks.json")).keys).not.toEqual([]);
    const { extensions } = jsonOf(await send(url, "GET /.well-known/agent-card.json")).capabilities;
    expect(extensions).toContainEqual(
      expect.objectContaining({
        params: { url: "https://agents.example.com/echo/.well-known/jwks.json" },
      }),
    );
  });

  it("grpc.ts answers over both, and ends by itself", async () => {
    await using running = await code().run("grpc", [4100, 4101]);
    expect(await ask(urlOf(running))).toBe("You said: hi");
    expect(await ask(urlOf(running), overGrpc())).toBe("You said: hi");
    expect(await running.stop("SIGTERM")).toBe(0);
  });

  describe("several.ts", () => {
    it.each([
      ["/travel", "This is Travel"],
      ["/hotels/acme", "This is Acme's hotels"],
      ["/hotels/globex", "This is Globex's hotels"],
    ])("has an agent at %s, for every version and binding", async (path, answer) => {
      await using running = await code().run("several", [4100, 4101]);
      const url = `${urlOf(running)}${path}`;
      expect(await ask(url)).toBe(answer);
      expect(await ask(url, { bindings: ["HTTP+JSON"] })).toBe(answer);
      expect(await ask(url, { versions: ["0.3"] })).toBe(answer);
      expect(await ask(url, overGrpc())).toBe(answer);
      await expect(ask(url, { ...overGrpc(), versions: ["0.3"] })).rejects.toThrow();
    });

    it("is called as the page says", async () => {
      await using running = await code().run("several", [4100, 4101]);
      const grpc = `127.0.0.1:${running.portFor(4101)}`;
      const url = urlOf(running);
      const card = async (path: string): Promise<readonly object[]> => {
        const headers = { "A2A-Version": "1.0" };
        const route = `GET ${path}/.well-known/agent-card.json`;
        return jsonOf(await send(url, route, { headers })).supportedInterfaces;
      };
      const travel = await card("/travel");
      const acme = await card("/hotels/acme");
      const inVersion = (protocolVersion: string, binding: string, rest: object): object =>
        expect.objectContaining({ protocolVersion, protocolBinding: binding, ...rest }) as object;
      expect(travel).toContainEqual(inVersion("1.0", "JSONRPC", { url: `${url}/travel` }));
      expect(travel).toContainEqual(inVersion("0.3", "JSONRPC", { url: `${url}/travel` }));
      expect(travel).toContainEqual(inVersion("1.0", "GRPC", { url: grpc, tenant: "travel" }));
      const rest = { url: `${url}/hotels`, tenant: "acme" };
      expect(acme).toContainEqual(inVersion("1.0", "JSONRPC", rest));
      expect(acme).toContainEqual(inVersion("0.3", "JSONRPC", { url: `${url}/hotels/acme` }));
      expect(acme).toContainEqual(inVersion("1.0", "GRPC", { url: grpc, tenant: "hotels/acme" }));
      expect([...travel, ...acme]).not.toContainEqual(inVersion("0.3", "GRPC", {}));
    });
  });

  it("proxied.ts is known by its public URL, and has the limits that it says", async () => {
    await using running = await code().run("proxied", [4100]);
    const url = urlOf(running);
    const headers = { Origin: "https://app.example.com", Connection: "keep-alive" };
    const card = await send(url, "GET /.well-known/agent-card.json", { headers });
    expect(jsonOf(card).url).toBe("https://agents.example.com");
    expect(card.headers).toMatchObject({
      "access-control-allow-origin": "https://app.example.com",
      "cache-control": "public, max-age=60",
      "keep-alive": "timeout=65",
    });
    const json = { text: "x".repeat(1024 * 1024) };
    expect((await send(url, "POST /message:send", { json })).status).toBe(413);
  });

  it("shows the states of a task as a task tells them", async () => {
    const worker = agent({
      name: "Worker",
      description: "Works",
      capabilities: { stateTransitionHistory: true },
      async *run() {
        yield "done";
      },
    });
    await using server = await openServer({ agent: worker });
    const { task } = await (await connect(server.url)).send("go");
    const timeless = (told: unknown): unknown =>
      (told as readonly object[]).map((one) => ({ ...one, timestamp: "…" }));
    const block = blocksOf("docs/hosting.md").find(({ language }) => language === "json");
    const told = task?.metadata?.["urn:parley:a2a:state-transitions:v1"];
    expect(timeless(JSON.parse(block?.code ?? ""))).toEqual(timeless(told));
  });
});
