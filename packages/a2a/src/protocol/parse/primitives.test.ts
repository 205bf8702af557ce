import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import { violation } from "../../../test/support/violation.js";
import { defaultLimits } from "../limits.js";
import { Cursor } from "./cursor.js";
import {
  base64,
  boolean,
  historyLength,
  identifier,
  integer,
  literal,
  string,
  text,
  timestamp,
  url,
} from "./primitives.js";
import type { Parser } from "./cursor.js";

const read = <T>(parse: Parser<T>, value: unknown): T => parse(value, new Cursor());
const reason = (parse: Parser<unknown>, value: unknown): string | undefined =>
  violation(() => read(parse, value)).description;

const wrong: readonly [unknown][] = [[undefined], [null], [0], [1], [true], [[]], [{}]];

describe("a string", () => {
  it.each(["", "a", "é", "😀", "\u0000", "a\nb"])("is taken as it is: %j", (value) => {
    expect(read(string, value)).toBe(value);
  });

  it.each(["\ud800", "a\udc00b", "\udc00\ud800"])(
    "is refused with a lone surrogate: %j",
    (value) => {
      expect(reason(string, value)).toBe("expected well-formed Unicode, got a lone surrogate");
    },
  );

  it.each(wrong)("is not %j", (value) => {
    expect(reason(string, value)).toMatch(/^expected a string, got /);
  });

  it("is not empty where text is wanted", () => {
    expect(read(text, " ")).toBe(" ");
    expect(reason(text, "")).toBe("expected a non-empty string");
    expect(reason(text, 1)).toBe("expected a string, got a number");
  });
});

describe("an id", () => {
  it.each(["a", "0", " a ", "a b", "a/b", "é", "😀", "\u00a0x", "x".repeat(256)])(
    "is taken as it is: %j",
    (value) => {
      expect(read(identifier, value)).toBe(value);
    },
  );

  it.each(["", " ", "\t", "\n", "\u00a0", "\u2003 ", "a\u0000", "\u001fa", "a\u007f", "a\nb"])(
    "is neither blank nor has control characters: %j",
    (value) => {
      expect(reason(identifier, value)).toBe(
        "expected an id that is not blank and has no control characters",
      );
    },
  );

  it("has at most the configured length", () => {
    verifies("security:size-limits");
    expect(reason(identifier, "x".repeat(257))).toBe("expected at most 256 characters, got 257");
    const cursor = new Cursor({ limits: { ...defaultLimits, maxIdLength: 2 } });
    expect(identifier("ab", cursor)).toBe("ab");
    expect(() => identifier("abc", cursor)).toThrow("expected at most 2 characters, got 3");
  });

  it.each<[unknown]>([["\ud800"], ...wrong])("is not %j", (value) => {
    expect(reason(identifier, value)).toMatch(/^expected (a string|well-formed)/);
  });
});

describe("a boolean", () => {
  it.each([true, false])("is taken as it is: %j", (value) => {
    expect(read(boolean, value)).toBe(value);
  });

  it.each([0, 1, "true", null, undefined])("is not %j", (value) => {
    expect(reason(boolean, value)).toMatch(/^expected true or false, got /);
  });
});

describe("an integer", () => {
  it.each<[unknown, number]>([
    [0, 0],
    [-1, -1],
    [2_147_483_647, 2_147_483_647],
    [-2_147_483_648, -2_147_483_648],
    ["3", 3],
    ["-7", -7],
    ["007", 7],
    [3.0, 3],
    ["1e3", 1000],
    ["1E+2", 100],
    ["5.0", 5],
    ["2.5e1", 25],
  ])("is %j, read as %d", (value, expected) => {
    expect(read(integer(), value)).toBe(expected);
  });

  it.each([2.5, "2.5", "x", "", " 3", "1e-3", "0x10", 1e308, 2_147_483_648, "99999999999", "9e9"])(
    "is not %j",
    (value) => {
      expect(reason(integer(), value)).toMatch(/^expected an integer, got /);
    },
  );

  it.each<[unknown]>([
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [null],
    [undefined],
    [[]],
    [{}],
    [true],
  ])("is not %j either", (value) => {
    expect(reason(integer(), value)).toMatch(/^expected an integer, got /);
  });

  it("lies within its bounds", () => {
    const page = integer(1, 100);
    expect([read(page, 1), read(page, 100)]).toEqual([1, 100]);
    expect(reason(page, 0)).toBe("expected an integer from 1 to 100, got 0");
    expect(reason(page, 101)).toBe("expected an integer from 1 to 100, got 101");
    expect(reason(page, "0")).toBe("expected an integer from 1 to 100, got 0");
  });

  it("is not negative as a length of history", () => {
    verifies("task:history-negative");
    expect(read(historyLength, 0)).toBe(0);
    expect(reason(historyLength, -1)).toBe("expected an integer of at least 0, got -1");
    expect(reason(historyLength, 1e308)).toBe("expected an integer of at least 0, got 1e+308");
  });
});

describe("base64", () => {
  it.each<[string, string]>([
    ["", ""],
    ["aGk=", "aGk="],
    ["aGk", "aGk="],
    ["YQ==", "YQ=="],
    ["YQ", "YQ=="],
    ["aGkh", "aGkh"],
    ["-_-_", "+/+/"],
    ["+/+/", "+/+/"],
    ["-_8", "+/8="],
    ["-_8=", "+/8="],
  ])("of %j is made standard: %j", (value, expected) => {
    expect(read(base64, value)).toBe(expected);
  });

  it.each(["*", "a", "aGk=x", "a=Gk", "aGk===", "=aGk", "aG k", "aGk=\n", "ä", "aaaaa"])(
    "is not %j",
    (value) => {
      expect(reason(base64, value)).toBe("expected base64");
    },
  );

  it("may be as long as a body", () => {
    const long = "QUJD".repeat(2_500_000);
    expect(read(base64, long) === long).toBe(true);
    expect(read(base64, `${long}QQ`) === `${long}QQ==`).toBe(true);
  });

  it("is refused at once however long its padding is", () => {
    expect(reason(base64, `${"=".repeat(1_000_000)}A`)).toBe("expected base64");
  });
});

describe("a url", () => {
  it.each(["https://a.example", "http://a.example:80/x?y#z", "urn:a:b", "data:,x", "file:///x"])(
    "is absolute and kept as written: %s",
    (value) => {
      expect(read(url, value)).toBe(value);
    },
  );

  it.each(["", "/path", "a.example", "https://", "http://[::1", "//a.example", "not a url"])(
    "is not %j",
    (value) => {
      expect(reason(url, value)).toBe("expected an absolute URL");
    },
  );

  it("is short when a caller sends it, and as long as it is from peers and from the agent", () => {
    const long = `data:,${"x".repeat(8192)}`;
    expect(read(url, long.slice(0, 8192))).toHaveLength(8192);
    expect(reason(url, long)).toBe("expected at most 8192 characters, got 8198");
    for (const code of ["INVALID_AGENT_RESPONSE", "INTERNAL"] as const) {
      expect(url(long, new Cursor({ code }))).toBe(long);
    }
  });
});

describe("a timestamp", () => {
  it.each([
    "2026-01-02T03:04:05Z",
    "2026-01-02T03:04:05.000Z",
    "2026-01-02T03:04:05.678Z",
    "2026-01-02T03:04:05.678901Z",
    "2026-01-02T03:04:05.678901234Z",
    "2026-01-02T03:04:05.000000001Z",
    "2024-02-29T00:00:00Z",
    "0001-01-01T00:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
  ])("in the shortest form is kept as written: %s", (value) => {
    verifies("json:timestamp-parse");
    expect(read(timestamp, value)).toBe(value);
  });

  it.each<[string, string]>([
    ["2026-01-02T03:04:05.6Z", "2026-01-02T03:04:05.600Z"],
    ["2026-01-02T03:04:05.678900Z", "2026-01-02T03:04:05.678900Z"],
    ["2026-01-02T03:04:05.6789Z", "2026-01-02T03:04:05.678900Z"],
    ["2026-01-02T03:04:05.6780Z", "2026-01-02T03:04:05.678Z"],
    ["2026-01-02T03:04:05.000000000Z", "2026-01-02T03:04:05.000Z"],
    ["2026-01-02T03:04:05.6789012349Z", "2026-01-02T03:04:05.678901234Z"],
    ["2025-04-02T16:59:25.331844", "2025-04-02T16:59:25.331844Z"],
    ["2026-01-02T03:04:05", "2026-01-02T03:04:05Z"],
    ["2026-01-02T03:04:05+02:00", "2026-01-02T01:04:05Z"],
    ["2026-01-02T03:04:05.5-01:30", "2026-01-02T04:34:05.500Z"],
    ["2026-01-01T00:30:00.123456789+01:00", "2025-12-31T23:30:00.123456789Z"],
    ["2026-01-02t03:04:05z", "2026-01-02T03:04:05Z"],
    ["2026-01-02 03:04:05Z", "2026-01-02T03:04:05Z"],
  ])("otherwise is made UTC of the same precision: %s is %s", (value, expected) => {
    verifies("json:timestamp-parse", "json:timestamp-milliseconds");
    expect(read(timestamp, value)).toBe(expected);
  });

  it.each([
    "",
    "now",
    "2026-01-02",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-32T00:00:00Z",
    "2026-02-30T00:00:00Z",
    "2025-02-29T00:00:00Z",
    "2026-04-31T00:00:00+01:00",
    "2026-01-02T24:00:00Z",
    "2026-01-02T03:60:00Z",
    "2026-01-02T03:04:61Z",
    "2026-01-02T03:04Z",
    "2026-01-02T03:04:05.Z",
    "2026-01-02T03:04:05+25:00",
    "9999-12-31T23:59:59-01:00",
    "0000-01-01T00:00:00+01:00",
    "Fri, 02 Jan 2026 03:04:05 GMT",
    "1767323045",
    " 2026-01-02T03:04:05Z",
  ])("is not %j", (value) => {
    expect(reason(timestamp, value)).toBe("expected a timestamp such as 2026-01-02T03:04:05.678Z");
  });

  it.each([1767323045, null, {}])("is no %j", (value) => {
    expect(reason(timestamp, value)).toMatch(/^expected a string, got /);
  });
});

describe("a literal", () => {
  const place = literal("header", "query");

  it("is one of the given strings, exactly", () => {
    expect(read(place, "query")).toBe("query");
    expect(reason(place, "Query")).toBe('expected "header" or "query", got a string');
    expect(reason(place, undefined)).toBe('expected "header" or "query", got nothing');
  });
});
