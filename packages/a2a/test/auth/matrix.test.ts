import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "@parley/a2a";
import type { Operation } from "@parley/a2a";
import { createAuthenticator, httpBearer, jwt } from "@parley/a2a/auth";
import type { Server } from "@parley/a2a/node";
import { openServed, addressOf } from "../support/servers/open-served.js";
import { RawClient } from "../support/clients/raw-grpc-client.js";
import { call, say } from "../support/clients/http-client.js";
import { verifies } from "../spec/verifies.js";
import { requestFor } from "./request-for.js";
import type { Belongings } from "./request-for.js";
import { speakers } from "./speaker.js";
import type { Listener, Outcome, Speaker } from "./speaker.js";
import { audience, createTokenIssuer, issuer } from "../support/auth/token-issuer.js";

/** What a caller may show, and how it is answered: by HTTP, by gRPC, and with which challenge. */
const refusals = {
  "no credential": [401, 16, undefined],
  "a bad one": [401, 16, "invalid_token"],
  "a forged one": [401, 16, "invalid_token"],
  "an expired one": [401, 16, "invalid_token"],
  "one for another audience": [401, 16, "invalid_token"],
  "one without the scope": [403, 7, "insufficient_scope"],
} as const satisfies Record<string, readonly [number, number, string | undefined]>;

type Refused = keyof typeof refusals;
type Shown = Refused | "alice's" | "bob's";

let serving: Server;
let listener: Listener;
let headers: Readonly<Record<Shown, Readonly<Record<string, string>>>>;

beforeAll(async () => {
  const source = await createTokenIssuer({ scope: "call" });
  const forger = await createTokenIssuer({ scope: "call" });
  const verify = jwt({ issuer, audience, jwks: source.jwks() });
  const auth = createAuthenticator({
    schemes: { token: httpBearer({ verify }) },
    requirements: [{ token: ["call"] }],
  });
  serving = await openServed({ auth });
  listener = { url: serving.url, grpc: new RawClient(addressOf(serving)) };
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  headers = {
    "no credential": {},
    "a bad one": bearer("made.up.token"),
    "a forged one": bearer(await forger.sign({ sub: "alice" })),
    "an expired one": bearer(await source.sign({ sub: "alice", exp: 1_700_000_000 })),
    "one for another audience": bearer(await source.sign({ aud: "https://other.example" })),
    "one without the scope": bearer(await source.sign({ scope: "operate" })),
    "alice's": bearer(await source.sign({ sub: "alice" })),
    "bob's": bearer(await source.sign({ sub: "bob" })),
  };
});

afterAll(async () => {
  listener.grpc.close();
  await serving.close();
});

/** A task of alice that waits for her, with a webhook. */
async function openAlicesTask(): Promise<Belongings> {
  const alice = headers["alice's"];
  const { result } = await call(serving.url, "SendMessage", say("flight"), alice);
  const { id: taskId, contextId } = result.task;
  const config = { taskId, id: "c1", url: "https://client.example/hook" };
  await call(serving.url, "CreateTaskPushNotificationConfig", config, alice);
  return { taskId, contextId };
}

/** What nobody has. In 0.1 a message makes it the sender's, so it is another each time. */
function missing(): Belongings {
  return { taskId: crypto.randomUUID(), contextId: crypto.randomUUID() };
}

interface Cell {
  readonly speaker: Speaker;
  readonly operation: Operation;
}

function ask({ speaker, operation }: Cell, shown: Shown, on: Belongings): Promise<Outcome> {
  const request = requestFor(operation, on);
  return speaker.call(listener, operation, request as never, headers[shown]);
}

const cells = speakers.flatMap((speaker) =>
  operations.map((operation): Cell => ({ speaker, operation })),
);
const [there, notThere] = [true, false].map((isThere) =>
  cells.filter(({ speaker, operation }) => speaker.has(operation) === isThere),
) as [Cell[], Cell[]];

describe.each(there)("$operation in $speaker.name", (cell) => {
  it.each(Object.entries(refusals))("is refused with %s", async (shown, expected) => {
    verifies("auth:every-request", "auth:rejected", "auth:challenge", "auth:scheme-named");
    verifies("auth:native-code", "auth:forbidden", "auth:missing-permission");
    const [http, grpc, error] = expected;
    const { code, challenge, bytes } = await ask(cell, shown as Refused, missing());
    expect(code).toBe(cell.speaker.isGrpc ? grpc : http);
    const parameters = [
      'realm="A2A"',
      ...(error === undefined ? [] : [`error="${error}"`]),
      'scope="call"',
    ];
    expect(challenge).toBe(`Bearer ${parameters.join(", ")}`);
    expect(bytes).not.toMatch(/expired|audience|signature|kid|JW|ERR_/);
  });

  it("tells another owner nothing that it would not tell of what does not exist", async () => {
    verifies("auth:existence-hidden", "auth:task-operations", "auth:every-operation", "auth:scope");
    const alices = await openAlicesTask();
    const hidden = await ask(cell, "bob's", alices);
    const nobodys = missing();
    const absent = await ask(cell, "bob's", nobodys);
    expect(withoutIdsAndTimes(hidden, alices)).toEqual(withoutIdsAndTimes(absent, nobodys));
    const { result } = await call(
      serving.url,
      "GetTask",
      { id: alices.taskId },
      headers["alice's"],
    );
    expect(result.status.state).toBe("TASK_STATE_INPUT_REQUIRED");
    expect(result.history).toHaveLength(1);
  });

  it("is done for who may have it done", async () => {
    verifies("binding:same-authentication");
    const { code, bytes } = await ask(cell, "alice's", await openAlicesTask());
    if (cell.speaker.isGrpc) expect(code).toBe(0);
    else expect([200, 204]).toContain(code);
    expect(bytes).not.toMatch(/"error"/);
  });
});

/** The bytes of an answer, apart from what differs between any two. */
function withoutIdsAndTimes(outcome: Outcome, { taskId, contextId }: Belongings): Outcome {
  const named = outcome.bytes.replaceAll(taskId, "TASK").replaceAll(contextId, "CONTEXT");
  const uuid = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g;
  const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g;
  return { ...outcome, bytes: named.replace(uuid, "ID").replace(time, "TIME") };
}

it("leaves out nothing but what a dialect does not have", () => {
  const names = notThere.map(({ speaker, operation }) => `${speaker.name}: ${operation}`);
  const without = (name: string, ...missed: readonly Operation[]): readonly string[] =>
    missed.map((operation) => `${name}: ${operation}`);
  const beyondShared = operations.filter(
    (one) => !["getTask", "cancelTask", "subscribeToTask"].includes(one),
  );
  expect(names).toEqual([
    ...without(
      "HTTP 0.1",
      "listTasks",
      "listTaskPushNotificationConfigs",
      "deleteTaskPushNotificationConfig",
      "getExtendedAgentCard",
    ),
    ...without("HTTP 0.1+0.3", ...beyondShared),
    ...without("gRPC 0.3", "listTasks"),
  ]);
});
