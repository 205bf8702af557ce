import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import {
  encodeJsonRpcErrorResponse,
  encodeJsonRpcRequest,
  encodeJsonRpcResult,
  parseJsonRpcRequest,
  parseJsonRpcResponse,
  requestId,
} from "./json-rpc-envelope.js";

const envelope = { jsonrpc: "2.0", method: "GetTask" };

describe("a JSON-RPC request", () => {
  it.each([
    ["a string", "a", "a"],
    ["an empty string", "", ""],
    ["zero", 0, 0],
    ["a negative integer", -7, -7],
    ["null", null, null],
    ["nothing", undefined, null],
  ])("may have %s as its id", (_, id, expected) => {
    const request = { ...envelope, ...(id !== undefined && { id }), params: { id: "t1" } };
    expect(parseJsonRpcRequest(request)).toEqual({
      id: expected,
      method: "GetTask",
      params: { id: "t1" },
    });
    expect(requestId(request)).toBe(expected);
  });

  it.each([
    ["absent", {}, undefined],
    ["null", { params: null }, undefined],
    ["of any type, since its method says who refuses it", { params: "text" }, "text"],
  ])("may have params that are %s", (_, members, params) => {
    expect(parseJsonRpcRequest({ ...envelope, ...members }).params).toBe(params);
  });

  it.each([
    ["a batch", [envelope], "expected one request, got a batch"],
    ["null", null, "expected an object, got null"],
    ["a string", "GetTask", "expected an object, got a string"],
    ["without jsonrpc", { method: "GetTask" }, 'jsonrpc: expected "2.0", got nothing'],
    ["of JSON-RPC 1", { ...envelope, jsonrpc: "1.0" }, 'jsonrpc: expected "2.0", got a string'],
    ["with a number for jsonrpc", { ...envelope, jsonrpc: 2 }, /jsonrpc: expected "2.0"/],
    ["without a method", { jsonrpc: "2.0", id: 1 }, /^.*method: .*, got nothing$/],
    ["with an empty method", { ...envelope, method: "" }, /method: .*, got an empty string/],
    ["with a method that is a number", { ...envelope, method: 1 }, /method: .*, got a number/],
    ["with a fractional id", { ...envelope, id: 1.5 }, /id: expected an integer or a string/],
    ["with an id beyond 2^53", { ...envelope, id: 2 ** 53 }, /id: expected an integer/],
    ["with an object as id", { ...envelope, id: {} }, /id: expected an integer/],
    ["with a boolean as id", { ...envelope, id: true }, /id: expected an integer/],
    ["with a huge id", { ...envelope, id: "i".repeat(1025) }, /at most 1024 characters/],
  ])("is refused when it is %s", (_, value, message) => {
    expect(() => parseJsonRpcRequest(value)).toThrow(
      expect.objectContaining({
        code: "INVALID_REQUEST",
        message: expect.stringMatching(message),
        details: {},
      }),
    );
  });

  it.each([
    [{ jsonrpc: "1.0", id: "a" }, "a"],
    [{ id: 7 }, 7],
    [{ id: { bad: "type" } }, null],
    [{ id: 1.5 }, null],
    [{}, null],
    [[{ id: 7 }], null],
    ["text", null],
    [undefined, null],
  ])("that is none (%j) is answered under the id %j", (value, id) => {
    expect(requestId(value)).toBe(id);
  });

  it("is written as it is read", () => {
    verifies("jsonrpc:request-form");
    const written = encodeJsonRpcRequest(7, "GetTask", { id: "t1" });
    expect(written).toEqual({ jsonrpc: "2.0", id: 7, method: "GetTask", params: { id: "t1" } });
    expect(parseJsonRpcRequest(written)).toEqual({
      id: 7,
      method: "GetTask",
      params: { id: "t1" },
    });
    expect(encodeJsonRpcRequest("a", "GetExtendedAgentCard")).not.toHaveProperty("params");
  });
});

describe("a JSON-RPC response", () => {
  it("is written with the id of the request", () => {
    expect(encodeJsonRpcResult("a", null)).toEqual({ jsonrpc: "2.0", id: "a", result: null });
    const error = { code: -32601, message: "Method not found" };
    expect(encodeJsonRpcErrorResponse(7, error)).toEqual({ jsonrpc: "2.0", id: 7, error });
    expect(encodeJsonRpcErrorResponse(null, { ...error, data: [] })).toEqual({
      jsonrpc: "2.0",
      id: null,
      error: { ...error, data: [] },
    });
  });

  it.each([
    ["a result", { jsonrpc: "2.0", id: 1, result: { a: 1 } }, { result: { a: 1 } }],
    ["null as its result", { jsonrpc: "2.0", id: 1, result: null }, { result: null }],
    ["a null that was left out", { jsonrpc: "2.0", id: 1 }, { result: null }],
    ["an error", { jsonrpc: "2.0", id: 1, error: { code: 1 } }, { error: { code: 1 } }],
    ["a null beside its result", { jsonrpc: "2.0", id: 1, result: 1, error: null }, { result: 1 }],
    ["a null beside its error", { jsonrpc: "2.0", id: 1, result: null, error: 1 }, { error: 1 }],
    ["no id beside its result", { jsonrpc: "2.0", result: 1 }, { result: 1 }],
    ["null as its id", { jsonrpc: "2.0", id: null, result: 1 }, { result: 1 }],
    ["an id that reads the same", { jsonrpc: "2.0", id: "1", result: 1 }, { result: 1 }],
    ["no jsonrpc", { id: 1, result: 1 }, { result: 1 }],
    ["an error without an id", { jsonrpc: "2.0", error: 1 }, { error: 1 }],
    ["an error under null", { jsonrpc: "2.0", id: null, error: 1 }, { error: 1 }],
  ])("may have %s", (_, value, expected) => {
    expect(parseJsonRpcResponse(value, 1)).toEqual({ ...expected, idMismatch: false });
  });

  it.each([
    [{ jsonrpc: "2.0", id: 2, result: 1 }],
    [{ jsonrpc: "2.0", id: "2", result: 1 }],
    [{ jsonrpc: "2.0", id: {}, result: 1 }],
    [{ jsonrpc: "2.0", id: 2, error: 1 }],
  ])("under another id is taken, and told: %j", (value) => {
    expect(parseJsonRpcResponse(value, 1)).toMatchObject({ idMismatch: true });
  });

  it.each([
    ["nothing", undefined],
    ["an array", [{ jsonrpc: "2.0", id: 1, result: 1 }]],
    ["a string", "<html>"],
    ["a document with neither result nor error", { id: 1, message: "bad gateway" }],
    ["both result and error", { jsonrpc: "2.0", id: 1, result: 1, error: 1 }],
    ["another jsonrpc", { jsonrpc: "1.0", id: 1, result: 1 }],
  ])("is not %s", (_, value) => {
    expect(() => parseJsonRpcResponse(value, 1)).toThrow(
      expect.objectContaining({
        code: "INVALID_AGENT_RESPONSE",
        message: expect.stringMatching(/^not a JSON-RPC response: /),
      }),
    );
  });
});
