import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { A2AError } from "../../protocol/internal.js";
import { parseJson } from "./parse-json.js";

const encode = (text: string) => new TextEncoder().encode(text);

describe("parseJson", () => {
  it("reads any JSON, as text and as bytes", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(parseJson(json)).toEqual(JSON.parse(json));
        expect(parseJson(encode(json))).toEqual(JSON.parse(json));
      }),
    );
  });

  it("passes over a byte order mark", () => {
    expect(parseJson(encode("\uFEFF{}"))).toEqual({});
  });

  it("refuses anything else with an A2AError and no other", () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.uint8Array()), (body) => {
        try {
          parseJson(body);
        } catch (error) {
          expect(A2AError.is(error) && error.code).toBe("PARSE_ERROR");
        }
      }),
    );
  });

  it.each([
    ["", "the body is not valid JSON: it is empty"],
    ['{"a":1,}', "the body is not valid JSON at position 7"],
    ['{"a":1', "the body is not valid JSON at position 6"],
    ['{"password":hunter2}', "the body is not valid JSON"],
    ['" at position 3', "the body is not valid JSON at position 15"],
    ["x at position 3", "the body is not valid JSON"],
    ["// comment\n{}", "the body is not valid JSON"],
  ])("says of %j where it breaks, never what it holds", (body, message) => {
    expect(() => parseJson(body)).toThrow(new A2AError("PARSE_ERROR", message));
  });

  it.each([
    ["a stray byte", [0x22, 0xff, 0x22]],
    ["an overlong form", [0x22, 0xc0, 0xaf, 0x22]],
    ["a surrogate", [0x22, 0xed, 0xa0, 0x80, 0x22]],
    ["half a character", [0x22, 0xe2, 0x82]],
  ])("refuses %s in UTF-8", (_, bytes) => {
    expect(() => parseJson(Uint8Array.from(bytes))).toThrow(
      new A2AError("PARSE_ERROR", "the body is not valid UTF-8"),
    );
  });

  it("refuses a large body that is nested too deeply, and leaves a small one to the parsers of fields", () => {
    const nested = (depth: number): string => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(Array.isArray(parseJson(nested(2000)))).toBe(true);
    expect(() => parseJson(nested(100_000))).toThrow(
      expect.objectContaining({ code: "INVALID_REQUEST" }),
    );
  });

  it.each([
    ["one byte a character", '"aaaa"', 6],
    ["two", '"éé"', 6],
    ["three", '"€€"', 8],
    ["four", '"😀"', 6],
  ])("counts the bytes of %s", (_, json, bytes) => {
    for (const body of [json, encode(json)]) {
      expect(parseJson(body, { maxBodyBytes: bytes })).toBe(JSON.parse(json));
      expect(() => parseJson(body, { maxBodyBytes: bytes - 1 })).toThrow(
        new A2AError("REQUEST_TOO_LARGE", `the body has more than ${bytes - 1} bytes`),
      );
    }
  });
});
