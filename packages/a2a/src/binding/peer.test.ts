import { describe, expect, it } from "vitest";
import { A2AError } from "../protocol/internal.js";
import type { CallContext, StreamResponse } from "../protocol/internal.js";
import {
  knownIds,
  learnIds,
  setCallHeaders,
  tellExtensions,
  unanswered,
  withExcerpt,
  withTenant,
} from "./peer.js";
import { verifies } from "../../test/spec/verifies.js";

const status = { state: "TASK_STATE_WORKING" } as const;

describe("the ids of a task", () => {
  it.each<[string, Parameters<typeof knownIds>[0], object]>([
    [
      "of a message",
      {
        message: {
          messageId: "m",
          role: "ROLE_USER",
          parts: [],
          taskId: "t",
          contextId: "c",
        },
      },
      { taskId: "t", contextId: "c" },
    ],
    ["of a task", { id: "t" }, { taskId: "t" }],
    ["of a push configuration, whose own id is another", { taskId: "t", id: "p" }, { taskId: "t" }],
    [
      "of a push configuration to set, which some peers only confirm",
      { taskId: "t", id: "p", url: "https://hook.example" },
      { taskId: "t", config: { taskId: "t", id: "p", url: "https://hook.example" } },
    ],
    ["of a list, which has none", {}, {}],
  ])("are known from the request: %s", (_, request, expected) => {
    expect(knownIds(request)).toEqual(expected);
  });

  it.each<[string, StreamResponse, object]>([
    ["a task", { task: { id: "t", contextId: "c", status } }, { taskId: "t", contextId: "c" }],
    [
      "a status",
      { statusUpdate: { taskId: "t", contextId: "c", status } },
      { taskId: "t", contextId: "c" },
    ],
    [
      "an artifact",
      {
        artifactUpdate: {
          taskId: "t",
          contextId: "c",
          artifact: { artifactId: "a", parts: [{ text: "hi" }] },
        },
      },
      { taskId: "t", contextId: "c" },
    ],
    [
      "a status without a context",
      { statusUpdate: { taskId: "t", contextId: "", status } },
      { taskId: "t", contextId: "known" },
    ],
  ])("are learnt from %s", (_, event, expected) => {
    expect(learnIds({ contextId: "known" }, event)).toEqual(expected);
  });
});

it("sends the tenant of the interface, unless the request names one", () => {
  verifies("tenant:opaque");
  expect(withTenant<"getTask">({ id: "t" }, "acme")).toEqual({ id: "t", tenant: "acme" });
  expect(withTenant<"getTask">({ id: "t", tenant: "globex" }, "acme").tenant).toBe("globex");
  expect(withTenant<"getTask">({ id: "t" }, undefined)).toEqual({ id: "t" });
});

it("adds the beginning of an answer only to an error that says it is not A2A", () => {
  const odd = withExcerpt(new A2AError("INVALID_AGENT_RESPONSE", "odd"), "x".repeat(3000));
  expect(odd).toMatchObject({ details: { metadata: { body: "x".repeat(2000) } } });
  for (const other of [new A2AError("TASK_NOT_FOUND", "no task"), new TypeError("a bug")]) {
    expect(withExcerpt(other, "text")).toBe(other);
  }
});

it("joins the values of a parameter by commas, in one header or one metadata entry", () => {
  verifies("jsonrpc:comma-separated", "rest:comma-separated", "grpc:comma-separated");
  const sent: (readonly [string, string])[] = [];
  const call: CallContext = { version: "1.0", extensions: ["urn:a", "urn:b"] };
  setCallHeaders((...header) => sent.push(header), call, "1.0");
  expect(sent).toEqual([
    ["A2A-Version", "1.0"],
    ["A2A-Extensions", "urn:a, urn:b"],
  ]);
});

it("does not let service parameters replace what the protocol sets", () => {
  const headers = new Headers();
  const call: CallContext = {
    version: "1.0",
    extensions: ["https://a.example"],
    idempotencyKey: "key",
    resumeAfter: 3,
    serviceParameters: { "a2a-version": "9", "x-own": "kept", "last-event-id": "9" },
  };
  const set = (name: string, value: string): void => headers.set(name, value);
  setCallHeaders(set, call, "1.0");
  expect(Object.fromEntries(headers)).toEqual({
    "a2a-version": "1.0",
    "a2a-extensions": "https://a.example",
    "idempotency-key": "key",
    "last-event-id": "3",
    "x-own": "kept",
  });
});

it("tells the observer which extensions are active", () => {
  const told: (readonly string[])[] = [];
  const observer = { onExtensions: (uris: readonly string[]) => void told.push(uris) };
  const headers: Record<string, string> = {
    "A2A-Extensions": "https://a.example, https://b.example",
  };
  tellExtensions({ version: "1.0", observer }, "1.0", (name) => headers[name]);
  expect(told).toEqual([["https://a.example", "https://b.example"]]);
});

describe("a call without an answer", () => {
  const cause = new Error("cut");

  it("could not reach its peer", () => {
    expect(unanswered("http://a.example", cause, { version: "1.0" })).toMatchObject({
      code: "UNAVAILABLE",
      message: "http://a.example could not be reached: cut",
      cause,
    });
  });

  it("was given up by its caller", () => {
    const call: CallContext = { version: "1.0", signal: AbortSignal.abort() };
    expect(unanswered("http://a.example", cause, call)).toMatchObject({
      code: "UNAVAILABLE",
      message: "the caller gave up the call",
      cause,
    });
  });

  it("keeps an error that says more", () => {
    const call: CallContext = { version: "1.0", signal: AbortSignal.abort() };
    const refused = new A2AError("UNAUTHENTICATED", "who are you?");
    expect(unanswered("http://a.example", refused, call)).toBe(refused);
  });
});
