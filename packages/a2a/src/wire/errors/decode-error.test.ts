import { describe, expect, it } from "vitest";
import { codecs } from "../codecs.js";

const retryInfo = "type.googleapis.com/google.rpc.RetryInfo";
const errorInfo = "type.googleapis.com/google.rpc.ErrorInfo";

describe("when to try again, as a peer says it", () => {
  const secondsOf = (data: unknown): number | undefined =>
    codecs["1.0"].decodeJsonRpcError({ code: -32603, message: "x", data }).details
      .retryAfterSeconds;

  it.each<[unknown, number | undefined]>([
    ["5s", 5],
    ["1.5s", 1.5],
    ["0s", 0],
    ["-5s", undefined],
    ["soon", undefined],
    [`${"9".repeat(400)}s`, undefined],
    [5, undefined],
    [null, undefined],
    [{ toString: 1, valueOf: 2 }, undefined],
    [JSON.parse(`${"[".repeat(20_000)}${"]".repeat(20_000)}`), undefined],
  ])("is a duration or nothing", (retryDelay, expected) => {
    expect(secondsOf([{ "@type": retryInfo, retryDelay }])).toBe(expected);
  });

  it.each<[unknown, number | undefined]>([
    [5, 5],
    [-5, undefined],
    ["5", undefined],
    [Number.POSITIVE_INFINITY, undefined],
  ])("is a number before 1.0: %j", (retryAfter, expected) => {
    expect(secondsOf({ retryAfter })).toBe(expected);
  });
});

describe("a peer's error", () => {
  const read = (error: unknown) => codecs["1.0"].decodeJsonRpcError(error);

  it("keeps the words of the peer, whatever its metadata is called", () => {
    const metadata = { details: "not the words" };
    const data = [{ "@type": errorInfo, reason: "TASK_NOT_FOUND", metadata }];
    expect(read({ code: -32001, message: "words", data })).toMatchObject({
      message: "words",
      details: { metadata },
    });
  });

  it.each<[string, unknown, string]>([
    ["null", null, "INVALID_AGENT_RESPONSE"],
    ["a text", "no", "INVALID_AGENT_RESPONSE"],
    ["a list", [], "INVALID_AGENT_RESPONSE"],
    ["an unknown number", { code: -1, message: "no" }, "INTERNAL"],
    ["a number as text", { code: "-32001", message: "no" }, "INTERNAL"],
    ["details that are none", { code: -32001, data: [null, 1, { "@type": 7 }] }, "TASK_NOT_FOUND"],
    ["an unknown reason", { code: -32001, data: { reason: "constructor" } }, "TASK_NOT_FOUND"],
  ])("that is %s is some error all the same", (_, error, code) => {
    expect(read(error)).toMatchObject({ name: "A2AError", code });
  });
});
