import { describe, expect, it } from "vitest";
import { verifies } from "../../test/spec/verifies.js";
import {
  activateExtensions,
  extensionHeader,
  formatExtensions,
  parseExtensions,
  requestedExtensions,
  requestExtensionHeaders,
} from "./extensions.js";
import type { ExtensionHeader } from "./extensions.js";

const citations = "https://example.com/ext/citations/v1";
const tracing = "https://example.com/ext/tracing/v2";

describe("an extensions header", () => {
  it.each([
    [undefined, []],
    [null, []],
    ["", []],
    [" , ,", []],
    [citations, [citations]],
    [` ${citations} ,${tracing}, `, [citations, tracing]],
    [`${tracing},${citations},${tracing}`, [tracing, citations]],
  ])("%j names %j", (value, uris) => {
    expect(parseExtensions(value)).toEqual(uris);
  });

  it("is written with every URI once", () => {
    expect(formatExtensions([citations, tracing, citations])).toBe(`${citations}, ${tracing}`);
  });

  it.each([
    ["0.1", "X-A2A-Extensions"],
    ["0.2", "X-A2A-Extensions"],
    ["0.3", "X-A2A-Extensions"],
    ["1.0", "A2A-Extensions"],
  ] as const)("is called in %s %s", (version, name) => {
    expect(extensionHeader(version)).toBe(name);
  });

  it("is sent under both names to versions before 1.0", () => {
    expect(requestExtensionHeaders("1.0")).toEqual(["A2A-Extensions"]);
    expect(requestExtensionHeaders("0.3")).toEqual(["X-A2A-Extensions", "A2A-Extensions"]);
  });

  it.each([
    ["1.0", { "A2A-Extensions": citations }, [citations]],
    ["1.0", { "X-A2A-Extensions": citations }, [citations]],
    ["1.0", { "A2A-Extensions": citations, "X-A2A-Extensions": tracing }, [citations]],
    ["0.3", { "A2A-Extensions": citations, "X-A2A-Extensions": tracing }, [tracing]],
    ["0.3", { "A2A-Extensions": citations, "X-A2A-Extensions": "" }, [citations]],
    ["0.3", {}, []],
  ] as const)("is read in %s from %j", (version, headers, uris) => {
    const header = (name: ExtensionHeader) => new Headers(headers).get(name);
    expect(requestedExtensions(version, header)).toEqual(uris);
  });
});

describe("activateExtensions", () => {
  it("activates what is requested and declared, and ignores the rest", () => {
    verifies("extension:unsupported-ignored");
    const requested = ["https://example.com/ext/unknown/v1", tracing];
    expect(activateExtensions(requested, [{ uri: citations }, { uri: tracing }])).toEqual([
      tracing,
    ]);
    expect(activateExtensions(requested, [])).toEqual([]);
  });

  it("never puts another version in place of the requested one", () => {
    verifies("extension:no-older-version");
    const older = "https://example.com/ext/tracing/v1";
    expect(activateExtensions([tracing], [{ uri: older }])).toEqual([]);
  });

  it.each([
    ["1.0", "A2A-Extensions"],
    ["0.3", "X-A2A-Extensions"],
  ] as const)("in %s demands a required extension in the header %s", (version, header) => {
    verifies("extension:required-missing");
    const declared = [{ uri: citations, required: true }, { uri: tracing }];
    expect(activateExtensions([citations], declared, version)).toEqual([citations]);
    expect(() => activateExtensions([tracing], declared, version)).toThrow(
      expect.objectContaining({
        code: "EXTENSION_SUPPORT_REQUIRED",
        message: `this agent requires ${citations}; name it in the header ${header}`,
        details: { metadata: { requiredExtensions: citations, header } },
      }),
    );
  });

  it("refuses an unsupported version of a required extension", () => {
    verifies("extension:required-unsupported");
    const declared = [{ uri: "https://example.com/ext/tracing/v1", required: true }];
    expect(() => activateExtensions([tracing], declared)).toThrow(
      expect.objectContaining({ code: "EXTENSION_SUPPORT_REQUIRED" }),
    );
  });
});
