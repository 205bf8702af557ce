import { agent } from "@parley/a2a/server";
import type { Server } from "@parley/a2a/node";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { jsonOf, rpc, sayOldest, send } from "../support/clients/http-client.js";
import type { JsonBody, SendOptions } from "../support/clients/http-client.js";
import { RawClient } from "../support/clients/raw-grpc-client.js";
import { addressOf } from "../support/servers/open-served.js";
import { openServer } from "../support/servers/open-server.js";
import { createGate } from "../support/time/gate.js";

let gate = createGate();
let server: Server;

beforeEach(async () => {
  gate = createGate();
  const slow = agent({
    name: "Slow",
    description: "Works until the gate opens",
    async *run() {
      yield { status: "begun" };
      await gate.opened;
    },
  });
  server = await openServer({ agent: slow, grpc: { port: 0 }, settings: { maxWaitMs: 20 } });
});
afterEach(() => server.close());

const message = (part: object) => ({ message: { messageId: "m1", role: "user", parts: [part] } });
const proto = { message: { messageId: "m1", role: "ROLE_USER", content: [{ text: "go" }] } };
const current = { message: { messageId: "m1", role: "ROLE_USER", parts: [{ text: "go" }] } };
const kind = message({ kind: "text", text: "go" });
const blocking = { configuration: { blocking: true } };

async function grpc(version: "0.3" | "1.0", request: object): Promise<JsonBody> {
  const client = new RawClient(addressOf(server));
  try {
    const { message: answer } = await client.call(version, "SendMessage", { ...request });
    return answer;
  } finally {
    client.close();
  }
}

async function http(route: string, options: SendOptions): Promise<JsonBody> {
  const answer = jsonOf(await send(server.url, route, options));
  return answer.result ?? answer;
}

/** The state of the task in an answer, whatever its spelling. */
function stateOf(answer: JsonBody): string {
  const task = answer.task ?? answer;
  return String(task.status.state).toLowerCase().replace("task_state_", "");
}

describe("a caller that does not say whether it waits", () => {
  it.each<[string, () => Promise<JsonBody>]>([
    ["0.1", () => http("POST /", rpc("tasks/send", sayOldest("t1", "go")))],
    ["0.3", () => http("POST /", rpc("message/send", kind))],
    [
      "0.3 with a configuration",
      () =>
        http(
          "POST /",
          rpc("message/send", { ...kind, configuration: { acceptedOutputModes: ["text"] } }),
        ),
    ],
    [
      "0.3 with type parts",
      () => http("POST /", rpc("message/send", message({ type: "text", text: "go" }))),
    ],
    ["0.3 over REST by its schema", () => http("POST /v1/message:send", { json: kind })],
    ["0.3 over REST by its proto", () => http("POST /v1/message:send", { json: proto })],
    ["0.3 over gRPC", () => grpc("0.3", proto)],
  ])("in %s gets its task while that works, and polls for its end", async (_, ask) => {
    const answer = await ask();
    expect(stateOf(answer)).toBe("working");
    gate.open();
    const id = (answer.task ?? answer).id as string;
    const read = () => http("POST /", rpc("tasks/get", { id }));
    await expect.poll(async () => stateOf(await read())).toBe("completed");
  });
});

describe("a caller that waits", () => {
  it.each<[string, () => Promise<JsonBody>]>([
    ["0.3", () => http("POST /", rpc("message/send", { ...kind, ...blocking }))],
    [
      "0.3 over REST by its schema",
      () => http("POST /v1/message:send", { json: { ...kind, ...blocking } }),
    ],
    [
      "0.3 over REST by its proto",
      () => http("POST /v1/message:send", { json: { ...proto, ...blocking } }),
    ],
    ["0.3 over gRPC", () => grpc("0.3", { ...proto, ...blocking })],
    ["1.0", () => http("POST /", rpc("SendMessage", current))],
    ["1.0 over REST", () => http("POST /message:send", { json: current })],
    ["1.0 over gRPC", () => grpc("1.0", current)],
  ])("in %s gets its task when that is over", async (_, ask) => {
    const answer = ask();
    // By then a caller that does not say so has got its answer.
    expect(stateOf(await http("POST /", rpc("message/send", kind)))).toBe("working");
    gate.open();
    expect(stateOf(await answer)).toBe("completed");
  });
});
