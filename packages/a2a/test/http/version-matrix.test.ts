import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Server } from "@parley/a2a/node";
import { verifies } from "../spec/verifies.js";
import {
  call,
  jsonOf,
  rpc,
  say,
  sayEarlier,
  sayOldest,
  send,
} from "../support/clients/http-client.js";
import type { Answer, JsonBody, SendOptions } from "../support/clients/http-client.js";
import { openServer } from "../support/servers/open-server.js";

/** How a request of each family looks. `shared` methods are in 0.1 and in 0.3. */
const families = {
  pascal: () => ["POST /", rpc("SendMessage", say("echo hi"))],
  slash: () => ["POST /", rpc("message/send", sayEarlier("echo hi"))],
  oldest: () => ["POST /", rpc("tasks/send", sayOldest(`t${(lastTask += 1)}`, "echo hi"))],
  shared: () => ["POST /", rpc("tasks/get", { id: taskId })],
  "/v1 path": () => ["POST /v1/message:send", { json: sayEarlier("echo hi") }],
  "1.0 path": () => ["POST /message:send", { json: say("echo hi") }],
} satisfies Record<string, () => [route: string, options: SendOptions]>;

type Family = keyof typeof families;

/** A dialect to be answered in, or an error: its number or status, and whether its details are 1.0's. */
type Outcome = "1.0" | "0.3" | "0.1" | "0.1+0.3" | { code: number; is10: boolean };

const notFound10 = { code: -32601, is10: true };
const refused10 = { code: -32009, is10: true };
const refused = { code: -32009, is10: false };

const older: Record<Family, Outcome> = {
  pascal: notFound10,
  slash: "0.3",
  oldest: "0.1",
  shared: "0.3",
  "/v1 path": "0.3",
  "1.0 path": refused10,
};
const lenient: Record<Family, Outcome> = { ...older, pascal: "1.0", "1.0 path": "1.0" };
const current: Record<Family, Outcome> = {
  pascal: "1.0",
  slash: notFound10,
  oldest: notFound10,
  shared: notFound10,
  "/v1 path": refused10,
  "1.0 path": "1.0",
};
const unserved10: Record<Family, Outcome> = {
  pascal: refused10,
  slash: refused10,
  oldest: refused10,
  shared: refused10,
  "/v1 path": refused10,
  "1.0 path": refused10,
};
const unserved: Record<Family, Outcome> = {
  pascal: refused10,
  slash: refused,
  oldest: refused,
  shared: refused,
  "/v1 path": refused,
  "1.0 path": refused10,
};

/** Rows of the matrix by what the request names as its version. */
const matrix: readonly (readonly [string | undefined, Record<Family, Outcome>])[] = [
  [undefined, lenient],
  ["", lenient],
  [" ", lenient],
  ["0.1", { ...older, shared: "0.1+0.3" }],
  ["0.2", older],
  ["0.2.5", older],
  ["0.3", older],
  ["0.3.0", older],
  ["1.0", current],
  [" 1.0 ", current],
  ["1.0.1", current],
  ["1.1", unserved10],
  ["99.0", unserved10],
  ["1", unserved10],
  ["0.5", unserved],
  ["0.0", unserved],
  ["garbage", unserved],
  ["v1.0", unserved],
];

const cells = matrix.flatMap(([version, row]) =>
  (Object.keys(families) as Family[]).map((family) => ({ version, family, outcome: row[family] })),
);

let server: Server;
let strict: Server;
let lastTask = 0;
let taskId: string;

beforeAll(async () => {
  server = await openServer();
  strict = await openServer({ strict: true });
  const { result } = await call(server.url, "message/send", sayEarlier("task x"));
  taskId = result.id;
});

afterAll(async () => {
  await server.close();
  await strict.close();
});

describe("the version that a request names decides with its method or path who answers", () => {
  it.each(cells)("$version in a header of $family", async ({ version, family, outcome }) => {
    verifies("version:unsupported", "version:patch-ignored", "version:requested-semantics");
    const [route, options] = families[family]();
    const headers = version === undefined ? {} : { "A2A-Version": version };
    expectOutcome(await send(server.url, route, { ...options, headers }), family, outcome);
  });

  it.each(cells)("$version in the query of $family", async ({ version, family, outcome }) => {
    const [route, options] = families[family]();
    const query = new URLSearchParams(version === undefined ? {} : { "a2a-version": version });
    const answer = await send(server.url, `${route}?${query}`, options);
    expectOutcome(answer, family, outcome);
  });

  it("in a header outweighs the one in the query", async () => {
    const [, options] = families.pascal();
    const headers = { "a2a-VERSION": "1.0" };
    const answer = await send(server.url, "POST /?A2A-Version=0.3", { ...options, headers });
    expectOutcome(answer, "pascal", "1.0");
  });
});

describe("a strict server", () => {
  it.each([
    ["pascal", refused10],
    ["slash", "0.3"],
    ["oldest", { code: -32601, is10: false }],
    ["/v1 path", "0.3"],
    ["1.0 path", refused10],
  ] as const)("takes a missing version for 0.3, for %s too", async (family, outcome) => {
    verifies("version:absent");
    const [route, options] = families[family]();
    expectOutcome(await send(strict.url, route, options), family, outcome);
  });

  it.each(["pascal", "1.0 path"] as const)("serves 1.0 to who names it, by %s", async (family) => {
    const [route, options] = families[family]();
    const headers = { "A2A-Version": "1.0" };
    expectOutcome(await send(strict.url, route, { ...options, headers }), family, "1.0");
  });
});

it("names the versions there are to whoever asks for another", async () => {
  const headers = { "A2A-Version": "1.1" };
  const answer = await call(server.url, "GetTask", { id: "t" }, headers);
  expect(answer.error.data[0].metadata).toEqual({
    requestedVersion: "1.1",
    supportedVersions: "0.1, 0.2, 0.3, 1.0",
  });
});

function expectOutcome(answer: Answer, family: Family, outcome: Outcome): void {
  const body = jsonOf(answer);
  if (typeof outcome === "string") {
    expect(answer.status).toBe(200);
    expect(dialectOf(body.result ?? body)).toBe(outcome);
    return;
  }
  const { code, is10 } = outcome;
  if (!family.endsWith("path")) {
    expect(answer.status).toBe(200);
    expect(body.error.code).toBe(code);
    if (code === -32009) expect(Array.isArray(body.error.data)).toBe(is10);
    return;
  }
  expect(answer.status).toBe(400);
  expect(answer.headers["content-type"]).toBe(is10 ? "application/a2a+json" : "application/json");
  const reason = is10 ? body.error.details[0].reason : body.data.reason;
  expect(reason).toBe("VERSION_NOT_SUPPORTED");
}

/** Whose spelling an answer to `echo`, or a task, is in. */
function dialectOf(result: JsonBody): string {
  if (result.message?.parts?.[0] !== undefined) {
    return result.message.role === "ROLE_AGENT" ? "1.0" : "0.3";
  }
  if (result.message?.content !== undefined || result.kind === "message") return "0.3";
  if (result.kind === "task") return result.sessionId === undefined ? "0.3" : "0.1+0.3";
  return result.sessionId === undefined ? "unknown" : "0.1";
}
