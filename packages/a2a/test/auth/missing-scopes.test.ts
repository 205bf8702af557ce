import { status } from "@grpc/grpc-js";
import { describe, expect, onTestFinished, test } from "vitest";
import { apiKey, createAuthenticator, httpBearer, requireScopes } from "@parley/a2a/auth";
import { agent } from "@parley/a2a/server";
import { verifies } from "../spec/verifies.js";
import { isRest, write } from "../support/clients/dialect-client.js";
import type { Speech } from "../support/clients/dialect-client.js";
import { jsonOf, send } from "../support/clients/http-client.js";
import { RawClient, reasonOf } from "../support/clients/raw-grpc-client.js";
import { openServer } from "../support/servers/open-server.js";

const ada = { subject: "ada", scopes: ["a2a:send"] };
const demo = agent({ name: "Demo", description: "Repeats", run: ({ text }) => text });

/** Ada may send messages; to read a task she lacks one of two scopes. */
const authorize = requireScopes({
  operations: { sendMessage: ["a2a:send"], getTask: ["a2a:send", "a2a:read"], listTasks: ["läs"] },
});

const tokens = httpBearer({
  verify: async (token) =>
    token === "of-ada"
      ? { kind: "known", identity: ada }
      : { kind: "invalid", reason: "no such token" },
});
const challenge = 'Bearer realm="A2A", error="insufficient_scope", scope="a2a:send a2a:read"';
const headers = { Authorization: "Bearer of-ada" };

const speeches: readonly Speech[] = [
  "0.1",
  "0.3",
  "0.3+type",
  "0.3-schema",
  "0.3-proto",
  "1.0",
  "1.0 REST",
];

function open(schemes: Parameters<typeof createAuthenticator>[0]["schemes"] = { tokens }) {
  const auth = createAuthenticator({ schemes });
  return openServer({ agent: demo, auth, authorize, grpc: { port: 0 } });
}

describe("a caller that lacks a scope", () => {
  test.each(speeches)(
    "is told in a challenge which scopes the call needs, in %s",
    async (speech) => {
      await using server = await open();
      const answer = await send(server.url, ...write(speech, "getTask", { id: "t" }, headers));
      expect(answer.status).toBe(403);
      expect(answer.headers["www-authenticate"]).toBe(challenge);
      const body = jsonOf(answer);
      const { message } = isRest(speech) && speech !== "1.0 REST" ? body : body.error;
      expect(message).toBe("this operation requires the scope a2a:read");
    },
  );

  test.each([
    ["1.0", { id: "t" }],
    ["0.3", { name: "tasks/t" }],
  ] as const)("is told the same over gRPC of %s", async (version, request) => {
    verifies("grpc:error-info");
    await using server = await open();
    const client = new RawClient(server.grpcAddress ?? "");
    onTestFinished(() => client.close());
    const metadata = { authorization: headers.Authorization };
    const { error } = await client.call(version, "GetTask", request, { metadata });
    expect(error?.code).toBe(status.PERMISSION_DENIED);
    expect(error?.metadata.get("www-authenticate")).toEqual([challenge]);
    expect(reasonOf(error)).toMatchObject({ reason: "PERMISSION_DENIED" });
  });

  test("is challenged without the scopes that no header can carry", async () => {
    await using server = await open();
    const answer = await send(server.url, ...write("1.0 REST", "listTasks", {}, headers));
    expect(answer.status).toBe(403);
    const bare = 'Bearer realm="A2A", error="insufficient_scope"';
    expect(answer.headers["www-authenticate"]).toBe(bare);
  });

  test("is not asked for a token where tokens are no way to authenticate", async () => {
    const keys = async () => ({ kind: "known", identity: ada }) as const;
    const key = apiKey({ in: "header", name: "X-API-Key", keys });
    await using server = await open({ key });
    const request = write("1.0", "getTask", { id: "t" }, { "X-API-Key": "k" });
    const answer = await send(server.url, ...request);
    expect(answer.status).toBe(403);
    expect(answer.headers["www-authenticate"]).toBeUndefined();
  });
});
