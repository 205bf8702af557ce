import { describe, expect, it } from "vitest";
import { verifies } from "../../../test/spec/verifies.js";
import { decodeRestQuery, encodeRestQuery } from "./rest-query.js";

const decode = (query: string) => decodeRestQuery(new URLSearchParams(query));

describe("a query that is read", () => {
  it.each([
    ["", {}],
    ["historyLength=5", { historyLength: "5" }],
    ["history_length=5&page_token=a_b", { historyLength: "5", pageToken: "a_b" }],
    ["includeArtifacts=true", { includeArtifacts: true }],
    ["include_artifacts=false", { includeArtifacts: false }],
    ["includeArtifacts=yes", { includeArtifacts: "yes" }],
    ["contextId=true", { contextId: "true" }],
    ["pageToken=a,b", { pageToken: "a,b" }],
    ["pageToken=", { pageToken: "" }],
    ["status=TASK_STATE_WORKING&pageSize=10", { status: "TASK_STATE_WORKING", pageSize: "10" }],
    ["A2A-Version=1.0&a2a-version=1.0", {}],
    ["id=%C3%A9%26", { id: "é&" }],
    ["url=https://a.example&token=t&config=c&metadata=m&key=k&key=k", {}],
    ["__proto__=a&constructor=b", {}],
  ])("%j gives %j", (query, members) => {
    expect(decode(query)).toEqual(members);
  });

  it.each(["historyLength=1&historyLength=2", "historyLength=1&history_length=1"])(
    "is refused when it names a parameter twice: %s",
    (query) => {
      expect(() => decode(query)).toThrow(
        expect.objectContaining({
          code: "INVALID_PARAMS",
          details: {
            fieldViolations: [
              { field: "historyLength", description: "expected one value, got several" },
            ],
          },
        }),
      );
    },
  );
});

describe("a query that is written", () => {
  it("has names in camelCase, plain scalars, enum names and escapes", () => {
    verifies("rest:query-names", "rest:query-scalars", "rest:query-enums");
    verifies("rest:query-timestamps", "rest:query-encoding");
    const query = encodeRestQuery({
      contextId: "a&b",
      status: "TASK_STATE_WORKING",
      pageSize: 10,
      includeArtifacts: true,
      statusTimestampAfter: "2026-01-02T03:04:05.678Z",
      pageToken: null,
    });
    expect(query).toBe(
      "contextId=a%26b&status=TASK_STATE_WORKING&pageSize=10&includeArtifacts=true" +
        "&statusTimestampAfter=2026-01-02T03%3A04%3A05.678Z",
    );
  });

  it.each([[{ a: 1 }], [["a"]]])("cannot carry what has structure: %j", (value) => {
    verifies("rest:query-nested");
    expect(() => encodeRestQuery({ metadata: value })).toThrow(
      expect.objectContaining({ code: "INVALID_PARAMS" }),
    );
  });
});
