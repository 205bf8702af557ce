import { describe, expect, it } from "vitest";
import { verifies } from "../../test/spec/verifies.js";
import { majorMinor, parseVersion, requestedVersion } from "./version.js";

describe("majorMinor", () => {
  it.each([
    ["1.0", "1.0"],
    ["1.0.1", "1.0"],
    [" 0.3.0 ", "0.3"],
    ["12.34", "12.34"],
    ["1", undefined],
    ["1.0.0.0", undefined],
    ["v1.0", undefined],
    ["01.0", undefined],
    ["1.0, 1.0", undefined],
    ["", undefined],
  ])("of %j is %j", (value, expected) => {
    expect(majorMinor(value)).toBe(expected);
  });
});

describe("parseVersion", () => {
  it.each([
    [undefined, undefined],
    [null, undefined],
    ["", undefined],
    ["  ", undefined],
    ["0.1", "0.1"],
    ["0.2.6", "0.2"],
    ["0.3", "0.3"],
    [" 1.0 ", "1.0"],
  ])("reads %j as %j", (value, expected) => {
    expect(parseVersion(value)).toBe(expected);
  });

  it("disregards the patch number", () => {
    verifies("version:patch-ignored");
    expect(parseVersion("1.0.1")).toBe(parseVersion("1.0"));
    expect(() => parseVersion("1.1.0")).toThrow();
  });

  it.each(["1.1", "0.5", "99.0", "1", "garbage", "1.0; DROP"])(
    "refuses %j and lists what is served",
    (value) => {
      verifies("version:unsupported");
      expect(() => parseVersion(value)).toThrow(
        expect.objectContaining({
          code: "VERSION_NOT_SUPPORTED",
          message: `version "${value}" is not supported; supported here: 0.1, 0.2, 0.3, 1.0`,
          details: {
            metadata: { requestedVersion: value, supportedVersions: "0.1, 0.2, 0.3, 1.0" },
          },
        }),
      );
    },
  );

  it("repeats only the beginning of a long value", () => {
    expect(() => parseVersion("9".repeat(10_000))).toThrow(
      expect.objectContaining({
        message: expect.stringMatching(/^.{1,140}$/),
        details: { metadata: expect.objectContaining({ requestedVersion: "9".repeat(64) }) },
      }),
    );
  });
});

describe("requestedVersion", () => {
  it.each([
    ["nothing", { header: null, query: "" }, undefined],
    ["a header", { header: " 1.0 ", query: "" }, "1.0"],
    ["a query parameter", { header: null, query: "A2A-Version=1.0" }, "1.0"],
    ["both", { header: "0.3", query: "A2A-Version=1.0" }, "0.3"],
    ["a blank header and a query parameter", { header: " ", query: "A2A-Version=1.0" }, "1.0"],
    ["a blank query parameter", { header: undefined, query: "A2A-Version=" }, undefined],
  ])("takes it from %s", (_, { header, query }, expected) => {
    expect(requestedVersion({ header, query: new URLSearchParams(query) })).toBe(expected);
  });

  it("finds the query parameter in any case", () => {
    verifies("binding:parameter-names");
    expect(requestedVersion({ query: new URLSearchParams("a2a-version=1.0") })).toBe("1.0");
  });
});
