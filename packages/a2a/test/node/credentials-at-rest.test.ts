import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, vi } from "vitest";
import { A2AError, credentialsUri } from "@parley/a2a";
import type { JsonObject } from "@parley/a2a";
import { openAuditLog } from "@parley/a2a/node";
import { authenticatorOf } from "../support/auth/authenticator-of.js";
import { addressOf, openServed } from "../support/servers/open-served.js";
import { RawClient } from "../support/clients/raw-grpc-client.js";
import { jsonOf, rpc, say, sayEarlier, sayOldest, send } from "../support/clients/http-client.js";
import { openFolder } from "../support/files/open-folder.js";
import { verifies } from "../spec/verifies.js";

const secret = "do-not-keep-me";

const auth = authenticatorOf(async (credentials) => {
  if (credentials.header("authorization") === `Bearer ${secret}`) return { subject: "ann" };
  throw new A2AError("UNAUTHENTICATED", "the credentials are not valid");
});

/** Everywhere a caller may carry a credential that is not in its message. */
const headers = {
  Authorization: `Bearer ${secret}`,
  Cookie: `session=${secret}`,
  "X-API-Key": secret,
  "Proxy-Authorization": `Basic ${secret}`,
};

it("what callers authenticate with is in no file and in no log, also while a task waits for authorization", async () => {
  verifies("security:data-protection");
  verifies("security:credentials-secret", "security:logs-clean");
  await using folder = await openFolder();
  const logged: unknown[] = [];
  const spies = (["log", "info", "warn", "error", "debug"] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...args) => void logged.push(...args)),
  );
  try {
    await using audit = await openAuditLog(join(folder.path, "audit.jsonl"));
    const store = join(folder.path, "tasks.db");
    await using server = await openServed({ auth, audit, store });
    const target = `POST /?key=${secret}`;
    const sent = await send(server.url, target, rpc("SendMessage", say("auth"), headers));
    const { task } = jsonOf(sent).result;
    expect(task.status.state).toBe("TASK_STATE_AUTH_REQUIRED");
    await send(server.url, target, rpc("SendMessage", say("echo", { taskId: "none" }), headers));
    // Somebody else authorizes it elsewhere; the message only says so.
    const answer = rpc("SendMessage", say("I did", { taskId: task.id }), headers);
    const done = jsonOf(await send(server.url, target, answer)).result.task;
    expect(done.status.state).toBe("TASK_STATE_COMPLETED");
    expect(JSON.stringify(done)).not.toContain(secret);
    // Credentials that are handed to the agent itself, in every dialect.
    const metadata = { [credentialsUri]: { token: secret } };
    const { message: current } = say("task x", { metadata }) as { message: object };
    const { message: earlier } = sayEarlier("task x", { metadata }) as { message: object };
    const oldest = { ...sayOldest("own-id", "task x"), metadata };
    for (const [method, params] of [
      ["SendMessage", { message: current, metadata }],
      ["message/send", { message: earlier, metadata }],
      ["tasks/send", oldest],
    ] as const) {
      const { result } = jsonOf(await send(server.url, "POST /", rpc(method, params, headers)));
      expect(result).toBeDefined();
      expect(JSON.stringify(result)).not.toContain(secret);
    }
    const rest = { headers, json: { message: current } };
    expect((await send(server.url, "POST /message:send", rest)).status).toBe(200);
    const refused = { ...headers, Authorization: `Bearer ${secret}-expired` };
    expect((await send(server.url, "GET /tasks", { headers: refused })).status).toBe(401);
    const client = new RawClient(addressOf(server));
    const shown = { authorization: headers.Authorization, "x-api-key": secret };
    await client.call("1.0", "SendMessage", { message: current } as JsonObject, {
      metadata: shown,
    });
    client.client.close();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  const files = await readdir(folder.path);
  expect(files.toSorted()).toEqual(expect.arrayContaining(["audit.jsonl", "tasks.db"]));
  for (const file of files) {
    const bytes = await readFile(join(folder.path, file));
    expect(bytes.includes(secret), file).toBe(false);
  }
  expect(JSON.stringify(logged.map(String))).not.toContain(secret);
});
