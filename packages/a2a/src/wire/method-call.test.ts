import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isProtocolMethod, methodNameForm } from "../protocol/internal.js";
import type { CallMethodRequest, JsonObject } from "../protocol/internal.js";
import { Cursor } from "../protocol/parse/internal.js";
import { codecs } from "./codecs.js";
import { detectJsonRpc } from "./detect/detect-json-rpc.js";
import { detectRest } from "./detect/detect-rest.js";
import type { Dialect } from "./dialect.js";
import { packMethodParams } from "./method-call.js";
import { buildRestRequest } from "./rest/build-rest-request.js";

const dialects = Object.keys(codecs) as readonly Dialect[];

const names = [
  "acme/quote",
  "Quote",
  "tasks/search",
  "a.b:c-d_e/f",
  "message:send",
  "tasks/t1:cancel",
];
const requests: readonly CallMethodRequest[] = [
  { method: "", params: {} },
  // Names that other requests have, so that nothing mistakes a parameter for something else.
  { method: "", params: { method: "x", id: "t1", params: { tenant: "inner" }, message: null } },
  { method: "", params: { pageSize: 1 }, tenant: "acme" },
];
const cases = names.flatMap((method) => requests.map((request) => ({ ...request, method })));

describe.each(dialects)("a method of an extension, in dialect %s", (dialect) => {
  const codec = codecs[dialect];
  const { version } = codec;

  it("is called over JSON-RPC by its own name, with its own parameters", () => {
    for (const request of cases) {
      const encoded = codec.encodeRequest.callMethod(request);
      const params = packMethodParams(encoded);
      expect(params).toEqual({ ...request.params, ...(request.tenant && { tenant: "acme" }) });
      const { method } = request;
      const detected = detectJsonRpc({ method, params, version, extensionMethods: new Set(names) });
      if ("error" in detected) throw detected.error;
      expect(detected.operation).toBe("callMethod");
      expect(codecs[detected.dialect].version).toBe(version === "0.2" ? "0.3" : version);
      expect(codec.decodeRequest.callMethod(detected.params, new Cursor())).toEqual(request);
    }
  });

  it("is not found where no extension defines it", () => {
    const call = { method: "acme/other", params: {}, version };
    const detected = detectJsonRpc({ ...call, extensionMethods: new Set(names) });
    expect(detected).toMatchObject({ error: { code: "METHOD_NOT_FOUND" } });
    expect(detectJsonRpc({ ...call, method: "acme/quote" })).toMatchObject({
      error: { code: "METHOD_NOT_FOUND" },
    });
  });

  it("takes any JSON for parameters and results, and refuses what is no JSON", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue()), (given) => {
        fc.pre(!Object.hasOwn(given, "__proto__") && !Object.hasOwn(given, "tenant"));
        const params = JSON.parse(JSON.stringify(given)) as JsonObject;
        fc.pre(!JSON.stringify(params).includes("__proto__"));
        const request = { method: "acme/quote", params };
        const json = codec.encodeRequest.callMethod(request);
        expect(codec.decodeRequest.callMethod(json, new Cursor())).toEqual(request);
        const result = codec.encodeResult.callMethod(params, request);
        expect(codec.decodeResult.callMethod(result, new Cursor(), {})).toEqual(params);
      }),
    );
    const read = (params: unknown): unknown =>
      codec.decodeRequest.callMethod({ method: "acme/quote", params }, new Cursor());
    expect(() => read({ a: { b: ["\ud800"] } })).toThrow(
      expect.objectContaining({
        code: "INVALID_PARAMS",
        details: { fieldViolations: [expect.objectContaining({ field: "a.b[0]" })] },
      }),
    );
    expect(() => read([])).toThrow(expect.objectContaining({ code: "INVALID_PARAMS" }));
  });
});

describe.each<[Dialect, string]>([
  ["1.0", "1.0"],
  ["0.3-proto", "0.3"],
  ["0.3-schema", "0.3"],
])("a method of an extension, over REST in dialect %s", (dialect, version) => {
  const known = new Set(names);
  const detect = (httpMethod: string, path: string, body?: unknown, methods = known) =>
    detectRest({
      httpMethod,
      path,
      query: new URLSearchParams("pageSize=2&id=x"),
      version,
      body,
      extensionMethods: methods,
    });
  const base = version === "1.0" ? "" : "/v1";

  it("has a path of its own, and its parameters in the body", () => {
    for (const request of cases) {
      const encoded = codecs[dialect].encodeRequest.callMethod(request);
      const built = buildRestRequest(dialect, "callMethod", encoded);
      const tenant = version === "1.0" && request.tenant !== undefined ? "/acme" : "";
      const path = `${tenant}${base}/method:call/${request.method.replaceAll(":", "%3A")}`;
      expect(built).toMatchObject({ httpMethod: "POST", path, query: "" });
      const detected = detect("POST", new URL(`http://x${built.path}`).pathname, built.body);
      if ("error" in detected) throw detected.error;
      expect(detected.operation).toBe("callMethod");
      const read = codecs[detected.dialect].decodeRequest.callMethod(detected.params, new Cursor());
      expect(read).toEqual(request);
    }
  });

  it.each(["..", "../tasks", "a/../b", "a//b", ""])(
    "is not called by %j, another path",
    (method) => {
      expect(() => buildRestRequest(dialect, "callMethod", { method, params: {} })).toThrow(
        expect.objectContaining({ code: "INVALID_PARAMS" }),
      );
    },
  );

  it("is reached by a name whose slash is escaped, which some clients do", () => {
    const detected = detect("POST", `${base}/method:call/acme%2Fquote`, {});
    expect(detected).toMatchObject({ params: { method: "acme/quote" } });
  });

  it("is refused with 405 for GET, and is not found where no extension defines it", () => {
    expect(detect("GET", `${base}/method:call/acme/quote`)).toMatchObject({
      error: { code: "METHOD_NOT_FOUND" },
      allowed: ["POST"],
    });
    for (const [path, methods] of [
      [`${base}/method:call/acme/other`, known],
      [`${base}/method:call/acme/quote`, new Set<string>()],
      [`${base}/method:call/`, known],
      [`${base}/method:call`, known],
      [`${base}/method:call/acme/quote/`, known],
    ] as const) {
      const detected = detect("GET", path, {}, methods);
      expect(detected).toMatchObject({ error: { code: "METHOD_NOT_FOUND" } });
      expect("allowed" in detected).toBe(false);
    }
  });
});

describe("the names of methods", () => {
  it("that the protocol has in any version are known, so that no extension takes them", () => {
    const own = dialects.flatMap((dialect) => {
      const { jsonRpcMethods, jsonRpcMethodAliases } = codecs[dialect];
      return [...Object.values(jsonRpcMethods), ...Object.keys(jsonRpcMethodAliases)];
    });
    expect(own.length).toBeGreaterThan(20);
    expect(own.filter((name) => name !== undefined && !isProtocolMethod(name))).toEqual([]);
    expect(["tasks/search", "sendMessage", "acme/quote"].filter(isProtocolMethod)).toEqual([]);
  });

  it.each(["acme/quote", "Quote", "a", "a.b-c_d:e/f/g", "v1.2/x", "x/..y", "x".repeat(128)])(
    "may be %j",
    (name) => expect(name).toMatch(methodNameForm),
  );

  it.each([
    "",
    "/a",
    "a/",
    "a//b",
    ".",
    "..",
    "a/..",
    "../a",
    "a/./b",
    "a b",
    "rpc.x",
    "é",
    "a?b",
    "a%2Fb",
    "x".repeat(129),
  ])("cannot be %j", (name) => expect(name).not.toMatch(methodNameForm));
});
