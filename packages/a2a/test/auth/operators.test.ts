import { status } from "@grpc/grpc-js";
import { describe, expect, it } from "vitest";
import { addressOf, openServed } from "../support/servers/open-served.js";
import { RawClient } from "../support/clients/raw-grpc-client.js";
import { call, jsonOf, say, send } from "../support/clients/http-client.js";
import { authenticatorOf } from "../support/auth/authenticator-of.js";

/** `Bearer name scope…`: everybody is who it says, with the scopes it names. */
const auth = authenticatorOf(async (credentials) => {
  const [, subject = "", ...scopes] = (credentials.header("authorization") ?? "").split(" ");
  return { subject, scopes };
});

const as = (name: string) => ({ Authorization: `Bearer ${name}` });

async function openFilled() {
  const server = await openServed({ auth });
  for (const name of ["ann", "ann", "ann", "bob"]) {
    await call(server.url, "SendMessage", say("flight"), as(name));
  }
  return server;
}

async function listOf(url: string, name: string, query = "") {
  const answer = await send(url, `GET /tasks?pageSize=2${query}`, { headers: as(name) });
  return { status: answer.status, ...jsonOf(answer) };
}

describe("an operator", () => {
  it("lists, reads and cancels everyone's tasks over REST, JSON-RPC and gRPC", async () => {
    await using server = await openFilled();
    const olga = "olga a2a:operator";
    const { totalSize, tasks } = await listOf(server.url, olga);
    expect([totalSize, tasks.length]).toEqual([4, 2]);
    expect((await listOf(server.url, "olga")).totalSize).toBe(0);
    const [first, second] = tasks;
    const { result } = await call(server.url, "CancelTask", { id: first.id }, as(olga));
    expect(result.status.state).toBe("TASK_STATE_CANCELED");
    const { result: earlier } = await call(server.url, "tasks/get", { id: second.id }, as(olga));
    expect(earlier.id).toBe(second.id);
    const client = new RawClient(addressOf(server));
    const metadata = { authorization: as(olga).Authorization };
    const listed = await client.call("1.0", "ListTasks", {}, { metadata });
    expect(listed.message).toMatchObject({ totalSize: 4 });
    const other = { metadata: { authorization: "Bearer eve" } };
    const refused = await client.call("1.0", "CancelTask", { id: second.id }, other);
    expect(refused.error?.code).toBe(status.NOT_FOUND);
    client.client.close();
  });
});

describe("a page token", () => {
  it("is no good to another, nor for another list, over any binding", async () => {
    await using server = await openFilled();
    const { nextPageToken } = await listOf(server.url, "ann");
    const rest = `&pageToken=${encodeURIComponent(String(nextPageToken))}`;
    const next = await listOf(server.url, "ann", rest);
    expect([next.status, next.tasks.length]).toEqual([200, 1]);
    for (const [name, query] of [
      ["bob", rest],
      ["ann a2a:operator", rest],
      ["ann", `${rest}x`],
      ["ann", `${rest}&status=TASK_STATE_WORKING`],
      ["ann", `${rest}&contextId=c`],
    ] as const) {
      const refused = await listOf(server.url, name, query);
      expect(refused.status).toBe(400);
      expect(refused.error.message).toContain("pageToken");
    }
    const request = { pageToken: nextPageToken };
    expect((await call(server.url, "ListTasks", request, as("bob"))).error.code).toBe(-32602);
    const client = new RawClient(addressOf(server));
    const metadata = { authorization: "Bearer bob" };
    const { error } = await client.call("1.0", "ListTasks", request, { metadata });
    expect(error?.code).toBe(status.INVALID_ARGUMENT);
    client.client.close();
  });
});
