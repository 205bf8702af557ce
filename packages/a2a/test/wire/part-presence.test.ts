import { describe, expect, it } from "vitest";
import type { JsonObject, JsonValue, Part } from "../../src/protocol/internal.js";
import { codecs } from "../../src/wire/codecs.js";
import type { Dialect } from "../../src/wire/dialect.js";
import { verifies } from "../spec/verifies.js";
import { readRequest, readResult, refusal } from "./read.js";

function read(dialect: Dialect, part: JsonValue): Part | undefined {
  const member = dialect === "0.3-proto" ? "content" : "parts";
  const role = dialect === "1.0" ? "ROLE_USER" : "user";
  const message = { messageId: "m1", role, [member]: [part] };
  return readRequest(dialect, "sendMessage", { id: "t1", message }).message.parts[0];
}

function violation(dialect: Dialect, part: JsonValue): string | undefined {
  const error = refusal(() => read(dialect, part));
  expect(codecs[dialect].encodeJsonRpcError(error).code).toBe(-32602);
  return error.details.fieldViolations?.[0]?.field;
}

describe("a part of 1.0", () => {
  it.each<[string, JsonObject, Part]>([
    ["null data", { data: null }, { data: null }],
    ["false data", { data: false }, { data: false }],
    ["data that is zero", { data: 0 }, { data: 0 }],
    ["data that is a list", { data: [1, "a"] }, { data: [1, "a"] }],
    ["data that is text", { data: "" }, { data: "" }],
    ["empty text", { text: "" }, { text: "" }],
    ["empty bytes", { raw: "" }, { raw: "" }],
    ["data beside a null text", { text: null, data: 1 }, { data: 1 }],
  ])("may have %s", (_, part, expected) => {
    verifies("part:presence", "part:data-any-json", "json:member-as-discriminator");
    expect(read("1.0", part)).toStrictEqual(expected);
  });

  it.each<[string, JsonValue]>([
    ["nothing", {}],
    ["metadata alone", { metadata: { a: 1 } }],
    ["a null text alone", { text: null }],
    ["text and data", { text: "a", data: 1 }],
    ["text and null data", { text: "a", data: null }],
    ["text and a link", { text: "", url: "https://a.example" }],
    ["bytes and a link", { raw: "aGk=", url: "https://a.example" }],
    ["all four", { text: "a", raw: "aGk=", url: "https://a.example", data: {} }],
  ])("with %s is refused", (_, part) => {
    verifies("part:one-content");
    expect(violation("1.0", part)).toBe("message.parts[0]");
  });

  it.each<[string, JsonObject]>([
    ["text", { text: "a" }],
    ["bytes", { raw: "aGk=" }],
    ["a link", { url: "https://a.example" }],
    ["data", { data: [1] }],
  ])("with %s may have a media type and a file name", (_, content) => {
    verifies("part:media-type");
    const part = { ...content, mediaType: "a/b", filename: "f", metadata: { n: null } };
    expect(read("1.0", part)).toStrictEqual(part);
  });

  it("is needed in a message", () => {
    verifies("message:parts-required", "message:role-required");
    const base = { messageId: "m1", role: "ROLE_USER", parts: [{ text: "a" }] };
    for (const [member, message] of [
      ["parts", { ...base, parts: [] }],
      ["parts", { messageId: "m1", role: "ROLE_USER" }],
      ["role", { messageId: "m1", parts: base.parts }],
    ] as const) {
      const error = refusal(() => readRequest("1.0", "sendMessage", { message }));
      expect(codecs["1.0"].encodeJsonRpcError(error).code).toBe(-32602);
      expect(error.details.fieldViolations?.[0]?.field).toBe(`message.${member}`);
    }
  });
});

describe("a part of an earlier version", () => {
  it.each<[Dialect, JsonObject]>([
    ["0.1", { type: "text", text: "" }],
    ["0.3", { kind: "text", text: "" }],
    ["0.3", { text: "" }],
    ["0.3-schema", { kind: "text", text: "" }],
    ["0.3-proto", { text: "" }],
  ])("may have empty text in %s: %j", (dialect, part) => {
    expect(read(dialect, part)).toStrictEqual({ text: "" });
  });

  it.each<[Dialect, JsonValue]>([
    ["0.1", {}],
    ["0.1", { type: "data", data: null }],
    ["0.3", {}],
    ["0.3", { data: null }],
    ["0.3", { kind: "data", data: null }],
    ["0.3", { kind: "data", data: [1] }],
    ["0.3", { text: "a", data: {} }],
    ["0.3", { text: "", file: { uri: "https://a.example" } }],
    ["0.1", { text: "a", data: [1] }],
    ["0.3", { kind: "text" }],
    ["0.3", { kind: "file" }],
    ["0.3", { kind: "file", file: { name: "a" } }],
    ["0.3", { kind: "file", file: { bytes: "aGk=", uri: "https://a.example" } }],
    ["0.3-proto", {}],
    ["0.3-proto", { data: null }],
    ["0.3-proto", { text: "a", data: { data: {} } }],
  ])("without one usable content is refused in %s: %j", (dialect, part) => {
    expect(violation(dialect, part)).toMatch(/^message\.(parts|content)\[0\]/);
  });

  it("is what its kind says, whatever else it has", () => {
    const part = { kind: "text", text: "a", data: { n: 1 } };
    expect(read("0.3", part)).toStrictEqual({ text: "a" });
  });

  it("may name a file without giving it in 0.1", () => {
    const part = { type: "file", file: { name: "a.pdf", mimeType: "application/pdf" } };
    const data = { file: { name: "a.pdf", mimeType: "application/pdf" } };
    expect(read("0.1", part)).toStrictEqual({ data });
  });
});

describe("data that is no object", () => {
  const values: readonly JsonValue[] = [null, false, 0, "", "text", [], [1, { a: null }]];

  it.each(values.map((value) => [value]))("crosses versions that have objects only: %j", (data) => {
    verifies("part:data-any-json");
    const artifacts = [{ artifactId: "a", parts: [{ data }] }];
    const task = { id: "t", status: { state: "TASK_STATE_COMPLETED" }, artifacts } as const;
    const wrapped = { value: data };
    const metadata = { data_part_compat: true };
    const print = (dialect: Dialect) =>
      codecs[dialect].encodeResult.getTask(task, { id: "t" }) as JsonObject;
    expect(print("0.3")["artifacts"]).toEqual([
      { artifactId: "a", parts: [{ kind: "data", data: wrapped, metadata }] },
    ]);
    expect(print("0.3-proto")["artifacts"]).toEqual([
      { artifactId: "a", parts: [{ data: { data: wrapped }, metadata }] },
    ]);
    for (const dialect of ["0.3", "0.3-proto", "1.0"] as const) {
      expect(readResult(dialect, "getTask", print(dialect)).artifacts).toStrictEqual(artifacts);
    }
  });
});
