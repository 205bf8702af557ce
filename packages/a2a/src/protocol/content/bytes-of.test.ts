import { describe, expect, it } from "vitest";
import type { Part } from "../part.js";
import { bytesOf } from "./bytes-of.js";

describe("the bytes of a part", () => {
  it.each<[string, Part, readonly number[]]>([
    ["base64", { raw: "AQL/" }, [1, 2, 255]],
    ["base64 without padding", { raw: "AQI" }, [1, 2]],
    ["base64 of the URL-safe alphabet", { raw: "-_8=" }, [251, 255]],
    ["nothing", { raw: "" }, []],
    ["a link with base64", { url: "data:image/png;base64,AQL/" }, [1, 2, 255]],
    ["a link with escaped base64", { url: "data:;base64,AQL%2F" }, [1, 2, 255]],
    ["a link with text", { url: "data:text/plain,a%2Cb,c?d" }, [97, 44, 98, 44, 99, 63, 100]],
    ["a link with bytes", { url: "data:,%00%ff%FE" }, [0, 255, 254]],
    ["a link with text beyond ASCII", { url: "data:,ü" }, [0xc3, 0xbc]],
    ["a link with a fragment", { url: "data:,a#b" }, [0x61]],
    ["a link with nothing", { url: "data:," }, []],
  ])("are those of %s", (_, part, bytes) => {
    expect([...bytesOf(part)]).toEqual(bytes);
  });

  it("are those of a large file", () => {
    const binary = "0123456789".repeat(100_000);
    const bytes = bytesOf({ raw: btoa(binary) });
    expect(bytes).toHaveLength(1_000_000);
    expect(new TextDecoder().decode(bytes)).toBe(binary);
  });

  it.each<[string, Part, string]>([
    [
      "a link, which it does not follow",
      { url: "https://example.com/map.pdf" },
      'the part has a link in place of a file: fetch "https://example.com/map.pdf" to get its bytes',
    ],
    ["text", { text: "hi" }, "expected a part with a file (raw or url), got one with text"],
    ["data", { data: null }, "expected a part with a file (raw or url), got one with data"],
    ["no base64", { raw: "not base64!" }, "expected the file as base64, got something else"],
    [
      "a link with no base64",
      { url: "data:;base64,*" },
      "expected the file as base64, got something else",
    ],
  ])("are not to be had of %s", (_, part, message) => {
    expect(() => bytesOf(part)).toThrow(
      expect.objectContaining({ code: "INVALID_PARAMS", message }) as Error,
    );
  });

  it("show no more than the beginning of a long link", () => {
    const url = `https://example.com/${"x".repeat(10_000)}`;
    expect(() => bytesOf({ url })).toThrow(
      expect.objectContaining({ message: expect.stringMatching(/^.{1,300}$/) as string }) as Error,
    );
  });

  it.each<Part>([{ raw: "AQL/" }, { raw: "AQI=" }, { raw: "AQI" }, { url: "data:,%01%02%03" }])(
    "are refused above a limit, and not at it: %j",
    (part) => {
      const { length } = bytesOf(part);
      expect(bytesOf(part, { maxBytes: length })).toHaveLength(length);
      expect(() => bytesOf(part, { maxBytes: length - 1 })).toThrow(
        `the file has more than ${length - 1} bytes; raise maxBytes to read it`,
      );
    },
  );
});
