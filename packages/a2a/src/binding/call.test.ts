import { expect, it } from "vitest";
import type { Authenticator, Credentials } from "../protocol/internal.js";
import { createCallContext } from "./call.js";
import type { CallContextSource } from "./call.js";
import type { MountedAgent } from "./mount.js";

const credentials: Credentials = {
  header: () => undefined,
  query: () => undefined,
  cookie: () => undefined,
  requestId: "r",
};

function contextOf(headers: Record<string, string>, more: Partial<CallContextSource> = {}) {
  const agent = { extensions: [] as MountedAgent["extensions"] } as MountedAgent;
  const request = { header: (name: string) => headers[name] };
  return createCallContext({
    request,
    agent,
    dialect: "1.0",
    binding: "JSONRPC",
    tenant: undefined,
    principal: undefined,
    credentials,
    trustsProxy: undefined,
    ...more,
  });
}

const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

it("has no more than a request says", () => {
  const said = { version: "1.0", dialect: "1.0", binding: "JSONRPC", extensions: [] };
  expect(contextOf({})).toEqual(said);
});

it("has what headers ask for", () => {
  const headers = {
    traceparent,
    tracestate: "a=b",
    "idempotency-key": "key",
    "last-event-id": "7",
  };
  expect(contextOf(headers, { tenant: "acme", dialect: "0.3-proto" })).toMatchObject({
    version: "0.3",
    dialect: "0.3-proto",
    tenant: "acme",
    trace: { traceparent, tracestate: "a=b" },
    idempotencyKey: "key",
    resumeAfter: 7,
  });
});

it("has no trace that is malformed, and marks one that is not trusted", () => {
  expect(contextOf({ traceparent: "00-1" })).not.toHaveProperty("trace");
  expect(contextOf({ traceparent }, { trustTraceparent: false }).trace).toEqual({
    traceparent,
    isUntrusted: true,
  });
});

it.each(["x", "-1", "1".repeat(16), ""])("does not resume after %j", (id) => {
  expect(contextOf({ "last-event-id": id }).resumeAfter).toBeUndefined();
});

it("refuses an idempotency key that is too long, and takes an empty one for none", () => {
  expect(() => contextOf({ "idempotency-key": "k".repeat(257) })).toThrow(
    "the Idempotency-Key has more than 256 characters",
  );
  expect(contextOf({ "idempotency-key": "" })).not.toHaveProperty("idempotencyKey");
});

it("has the id of the request where callers are authenticated", () => {
  const agent = { extensions: [] as MountedAgent["extensions"], auth: {} as Authenticator };
  const principal = { subject: "ada" };
  expect(contextOf({}, { agent: agent as MountedAgent, principal })).toMatchObject({
    principal,
    requestId: "r",
  });
});

it("has the caller's address, in front of proxies that are trusted", () => {
  const connection = { address: "192.0.2.9" };
  const request = { header: () => "192.0.2.1", connection };
  expect(contextOf({}, { request }).address).toBe("192.0.2.9");
  const trustsProxy = (address: string): boolean => address === connection.address;
  const header = (name: string) => (name === "x-forwarded-for" ? "192.0.2.1" : undefined);
  const forwarded = { request: { header, connection }, trustsProxy };
  expect(contextOf({}, forwarded).address).toBe("192.0.2.1");
});

it("activates what a request asks for under the header of its version or the other", () => {
  const agent = { extensions: [{ uri: "https://a.example" }] } as unknown as MountedAgent;
  const asked = "https://a.example, https://unknown.example";
  for (const name of ["a2a-extensions", "x-a2a-extensions"]) {
    expect(contextOf({ [name]: asked }, { agent }).extensions).toEqual(["https://a.example"]);
  }
});
