import { mkdtemp, readFile, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { agent } from "@parley/a2a";
import type { AgentDefinition } from "@parley/a2a";
import {
  apiKey,
  createAuthenticator,
  createKey,
  httpBearer,
  keyTable,
  mutualTls,
} from "@parley/a2a/auth";
import type { Scheme } from "@parley/a2a/auth";
import { serve } from "@parley/a2a/node";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import { clients } from "../../../a2a/test/support/auth/identity-provider/clients.js";
import { openIdentityProvider } from "../../../a2a/test/support/auth/identity-provider/open-identity-provider.js";
import { browse } from "../../../a2a/test/support/auth/identity-provider/user.js";
import { readTls, tlsPath } from "../../../a2a/test/support/files/tls.js";
import { openSecuredAgent } from "../../../a2a/test/support/servers/open-secured-agent.js";
import { runHere } from "../run-here.js";
import { documentOf, labeled, parley, startParley } from "./parley.js";
import { openScriptedAgent, taskIn } from "./scripted-agent.js";

const definition: AgentDefinition = {
  name: "Greeter",
  description: "Says who calls",
  run: ({ caller }) => `hello ${caller?.subject ?? "stranger"}`,
};
const greeter = agent({
  ...definition,
  extendedCard: (card, { principal }) => ({ ...card, description: `For ${principal?.subject}` }),
});

function openGreeter(scheme: Scheme): Promise<Server> {
  const auth = createAuthenticator({ schemes: { door: scheme } });
  return serve(greeter, {
    port: 0,
    store: createMemoryStore(),
    auth,
    grpc: { port: 0, inCard: true },
  });
}

describe("credentials", () => {
  it("go where the card's security scheme says, and are shown nowhere", async () => {
    const { key, hash } = await createKey();
    const keys = [{ subject: "ada", hash }];
    await using inHeader = await openGreeter(apiKey({ in: "header", name: "X-Door", keys }));
    await using inQuery = await openGreeter(apiKey({ in: "query", name: "door", keys }));
    await using inCookie = await openGreeter(apiKey({ in: "cookie", name: "door", keys }));
    await using asBearer = await openGreeter(httpBearer({ verify: keyTable(keys) }));
    const call = (server: Server, ...args: readonly string[]) =>
      runHere("send", "-a", server.url, "hi", "--debug", ...args);
    const ran = await Promise.all([
      call(inHeader, "--api-key", key),
      call(inQuery, "--api-key", key),
      call(inCookie, "--api-key", key),
      call(asBearer, "--bearer", key),
      call(asBearer, "--bearer", key, "--transport", "GRPC"),
    ]);
    for (const { stdout } of ran) expect(stdout).toContain("Text:\nhello door#ada\n\n");
    for (const { stderr } of ran) expect(stderr).not.toContain(key);
    const traces = ran.map(({ stderr }) => stderr);
    expect(traces[0]).toContain("> x-door: [redacted]");
    expect(traces[1]).toContain("?door=[redacted]");
    expect(traces[2]).toContain("> cookie: [redacted]");
    expect(traces[3]).toContain("> authorization: [redacted]");
  });

  it("are asked for with 4 when they are missing, and refused with 4 when they are wrong", async () => {
    const { key, hash } = await createKey();
    await using door = await openGreeter(
      apiKey({ in: "header", name: "X-Door", keys: [{ subject: "ada", hash }] }),
    );
    const [missing, wrong, other, extended, needless] = await Promise.all([
      runHere("send", "-a", door.url, "hi", "-o", "json"),
      parley(["send", "-a", door.url, "hi", "-o", "json"], {
        env: { A2ACLI_API_KEY: "not the key" },
      }),
      runHere("send", "-a", door.url, "hi", "-o", "json", "--bearer", key),
      runHere("card", "get", "-a", door.url, "--extended", "-o", "json", "--api-key", key),
      runHere("card", "get", "-a", door.url, "--extended", "-o", "json"),
    ]);
    const codes = [missing, wrong, other, needless].map(({ code, stdout }) => [
      code,
      documentOf.error(stdout).code,
    ]);
    expect(codes).toEqual([
      [4, "A2ACLI_ERR_CREDENTIALS_MISSING"],
      [4, "A2ACLI_ERR_AUTH_FAILED"],
      [4, "A2ACLI_ERR_CREDENTIALS_MISSING"],
      [4, "A2ACLI_ERR_CREDENTIALS_MISSING"],
    ]);
    expect(documentOf.error(missing.stdout).hint).toBe(
      `parley send hi -a ${door.url} -o json --api-key KEY`,
    );
    expect(wrong.stdout + wrong.stderr).not.toContain("not the key");
    expect(documentOf.card(extended.stdout).description).toBe("For door#ada");
  });
});

describe("secrets", () => {
  it("go to the host of the card and to no other", async () => {
    const card = {
      securitySchemes: { door: { apiKeySecurityScheme: { location: "header", name: "X-Door" } } },
      securityRequirements: [{ schemes: { door: { list: [] } } }],
    };
    const answer = () => ({ task: taskIn("COMPLETED") });
    await using other = await openScriptedAgent({ answer });
    const elsewhere = other.url.replace("127.0.0.1", "localhost");
    await using agent = await openScriptedAgent({ card, answer, at: { url: elsewhere } });
    await using port = await openScriptedAgent({ card, answer, at: { url: other.url } });
    const send = ["send", "hi", "--api-key", "a key of the door"];
    await runHere(...send, "-a", agent.url);
    await runHere(...send, "-a", port.url);
    const seen = other.calls.map(({ headers }) => [headers.host?.split(":")[0], headers["x-door"]]);
    expect(seen).not.toContainEqual(["localhost", "a key of the door"]);
    expect(seen).toContainEqual(["127.0.0.1", "a key of the door"]);
  });

  it("are not shown where an agent repeats them, nor where a command line has put them", async () => {
    const [key, token, other] = ["door key 12345", "hook token 678", "bearer of others 90"];
    await using echo = await openScriptedAgent({
      card: {
        capabilities: { pushNotifications: true },
        securitySchemes: { door: { apiKeySecurityScheme: { location: "header", name: "X-Door" } } },
        securityRequirements: [{ schemes: { door: { list: [] } } }],
      },
      answer: ({ method, headers }) => {
        const message = `refused with ${String(headers["x-door"])}`;
        return method === "CreateTaskPushNotificationConfig"
          ? { id: "c", taskId: "t", url: "https://example.com", token }
          : { error: { code: -32_602, message, data: [{ "@type": "x", key: headers["x-door"] }] } };
      },
    });
    const own = ["-a", echo.url, "--api-key", key, "--svc-param", `Authorization: Bearer ${other}`];
    const hook = ["task", "push-config", "create", "t", "--url", "https://example.com"];
    const ran = await Promise.all([
      runHere("send", "hi", ...own),
      runHere("send", "hi", ...own, "-o", "json"),
      runHere("send", "hi", ...own, "--debug"),
      runHere(...hook, "--token", token, ...own, "--debug"),
      runHere("config", "show", "--api-key", key),
    ]);
    expect(echo.calls.map(({ headers }) => headers["x-door"])).toEqual([key, key, key, key]);
    for (const { stdout, stderr } of ran) {
      for (const secret of [key, token, other]) expect(stdout + stderr).not.toContain(secret);
    }
    expect(ran[0]?.stderr).toContain("refused with [redacted]");
    expect(documentOf.error(ran[1]?.stdout ?? "").message).toContain("refused with [redacted]");
    expect(ran[3]?.stderr).toContain('"token":"[redacted]"');
  });
});

describe("auth login", () => {
  it("signs in a program and a person, and later commands use their tokens", async () => {
    await using provider = await openIdentityProvider();
    await using secured = await openSecuredAgent(provider);
    const program = await mkdtemp(join(tmpdir(), "parley-login-"));
    const person = await mkdtemp(join(tmpdir(), "parley-login-"));
    const at = ["-a", secured.url];
    const login = ["auth", "login", ...at, "--client-id"];
    const inFolder = (folder: string) => ({ env: { XDG_CONFIG_HOME: folder } });

    const child = startParley(
      [...login, clients.terminal.client_id, "-o", "json"],
      inFolder(person),
    );
    let [said, stdout] = ["", ""];
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said += text));
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    await expect.poll(() => said).toMatch(/^Code: \S+$/m);
    await browse(labeled(said, "Open") ?? "");

    const { client_id: machine, client_secret: secret } = clients.machine;
    const asProgram = await parley([...login, machine, "--issuer", provider.issuer, "--debug"], {
      env: { XDG_CONFIG_HOME: program, A2ACLI_CLIENT_SECRET: secret },
    });
    expect(asProgram.code, asProgram.stderr).toBe(0);
    expect(labeled(asProgram.stdout, "Signed in")).toBe(secured.url);

    await expect.poll(() => child.exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ origin: secured.url, scheme: "sso", flow: "deviceCode" });

    const tokens = await readFile(join(program, "a2a-cli/tokens.json"), "utf8");
    const [token = ""] = /"accessToken":"[^"]+/.exec(tokens)?.[0].split('":"').slice(1) ?? [];
    expect(asProgram.stderr).not.toContain(token);
    expect(asProgram.stderr).not.toContain(encodeURIComponent(secret));
    for (const file of ["tokens.json", "logins.json"]) {
      expect((await stat(join(person, "a2a-cli", file))).mode & 0o777).toBe(0o600);
    }

    const [hello, traced, nobody] = await Promise.all([
      parley(["send", ...at, "hi"], inFolder(person)),
      parley(["send", ...at, "hi", "--debug"], inFolder(program)),
      runHere("send", ...at, "hi", "-o", "json"),
    ]);
    expect(hello.stdout).toContain("Text:\nhello ada\n\n");
    expect(traced.stdout).toContain("Text:\nhello machine\n\n");
    expect(traced.stderr).not.toContain(token);
    expect(nobody.code).toBe(4);
    expect(documentOf.error(nobody.stdout)).toMatchObject({
      code: "A2ACLI_ERR_CREDENTIALS_MISSING",
      hint: `parley auth login -a ${secured.url}`,
    });
  });
});

describe("TLS", () => {
  it("is checked, unless --insecure says otherwise, with a warning", async () => {
    const tls = { cert: readTls("localhost-cert"), key: readTls("localhost-key") };
    await using server = await serve(agent(definition), {
      port: 0,
      store: createMemoryStore(),
      tls,
      grpc: { port: 0, inCard: true },
    });
    const [checked, unchecked, grpc] = await Promise.all([
      runHere("send", "-a", server.url, "hi", "-o", "json"),
      parley(["send", "-a", server.url, "hi", "--insecure"]),
      parley(["send", "-a", server.url, "hi", "--insecure", "--transport", "grpc", "--debug"]),
    ]);
    expect([checked.code, documentOf.error(checked.stdout).code]).toEqual([
      3,
      "A2ACLI_ERR_UNREACHABLE",
    ]);
    expect(unchecked.stdout).toContain("Text:\nhello stranger\n\n");
    expect(unchecked.stderr).toMatch(/^Warning: --insecure: [^\n]*\n$/);
    expect(grpc.stderr).toContain("> sendStreamingMessage {");
    expect(grpc.stdout).toContain("Text:\nhello stranger\n\n");
  });

  it("shows the caller's certificate to the agent, over HTTP and gRPC", async () => {
    const auth = createAuthenticator({ schemes: { door: mutualTls({ subject: "uri" }) } });
    const [cert, key] = [readTls("localhost-cert"), readTls("localhost-key")];
    await using server = await serve(greeter, {
      port: 0,
      store: createMemoryStore(),
      auth,
      tls: { cert, key, ca: readTls("client-cert") },
      grpc: { port: 0, inCard: true },
    });
    const trusted = tlsPath("localhost-cert");
    const trust = { NODE_EXTRA_CA_CERTS: trusted, GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: trusted };
    const own = ["--client-cert", tlsPath("client-cert"), "--client-key", tlsPath("client-key")];
    const variables = {
      A2ACLI_CLIENT_CERT: tlsPath("client-cert"),
      A2ACLI_CLIENT_KEY: tlsPath("client-key"),
    };
    const send = ["send", "-a", server.url, "hi"];
    const checks = ["doctor", server.url, "--transport", "GRPC", "--a2a-version", "1.0"];
    const [http, grpc, missing, doctor] = await Promise.all([
      parley([...send, ...own], { env: trust }),
      parley([...send, "--transport", "grpc"], { env: { ...trust, ...variables } }),
      parley([...send, "-o", "json"], { env: trust }),
      parley([...checks, ...own, "--read-only", "--debug"], { env: trust }),
    ]);
    for (const { stdout } of [http, grpc]) expect(stdout).toMatch(/^hello door#\S+$/m);
    expect([missing.code, documentOf.error(missing.stdout)]).toEqual([
      4,
      expect.objectContaining({
        code: "A2ACLI_ERR_CREDENTIALS_MISSING",
        hint: `parley send hi -a ${server.url} -o json --client-cert PATH --client-key PATH`,
      }),
    ]);
    expect(doctor.stderr).toMatch(/^> getTask \{/m);
    expect(doctor.stdout).toMatch(/^Ok: .*answers/im);
  });

  it.each([
    ["a key alone", ["--client-key", tlsPath("client-key")], "--client-key needs --client-cert"],
    ["a file that is not there", ["--client-cert", "none.pem"], "there is no file none.pem"],
    [
      "a key of another",
      ["--client-cert", tlsPath("client-cert"), "--client-key", tlsPath("ada-key")],
      "expected a certificate and its key",
    ],
  ])("takes %s for an error of usage", async (_, options, reason) => {
    const { code, stderr } = await runHere("send", "-a", "https://127.0.0.1:9", "hi", ...options);
    expect(code).toBe(2);
    expect(stderr).toContain(reason);
    expect(stderr).not.toContain("PRIVATE");
  });
});
