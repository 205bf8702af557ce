import { describe, expect, it } from "vitest";
import { A2AError } from "../../src/protocol/internal.js";
import type { CallContext } from "../../src/protocol/internal.js";
import { agent, withParams } from "../../src/server/index.js";
import type { AgentDefinition, MethodHandler, StandardSchema } from "../../src/server/index.js";
import { refusal, refusalCode } from "../support/runtime/answers.js";
import { callBy, openTestRuntime } from "../support/runtime/open-test-runtime.js";
import type { TestRuntimeOptions } from "../support/runtime/open-test-runtime.js";
import { createDeferred } from "../../src/async/deferred.js";
import { verifies } from "../spec/verifies.js";

const uri = "https://acme.example/quotes/v1";

function openWith(
  methods: Readonly<Record<string, MethodHandler>>,
  options: Partial<TestRuntimeOptions> = {},
) {
  return openTestRuntime({ run: () => "x", extensions: [{ uri, methods }], ...options });
}

const ann = callBy("ann", { extensions: [uri] });
const bob = callBy("bob", { extensions: [uri] });

describe("the handler of a method", () => {
  it("gets its parameters and who calls", async () => {
    await using runtime = await openWith({
      "acme/quote": (params, given) => {
        const { signal, ...context } = given;
        return { params, context, isAborted: signal.aborted };
      },
    });
    const call: CallContext = { ...ann, tenant: "acme", version: "0.3" };
    const told = await runtime.service.callMethod({ method: "acme/quote", params: { a: 1 } }, call);
    expect(told).toEqual({
      params: { a: 1 },
      isAborted: false,
      context: {
        method: "acme/quote",
        caller: { subject: "ann" },
        tenant: "acme",
        version: "0.3",
        extensions: [uri],
      },
    });
  });

  it("answers with JSON as it is at that moment", async () => {
    const shared = { count: 1, at: new Date(0), gone: undefined };
    await using runtime = await openWith({ "acme/count": () => shared, "acme/none": () => {} });
    const first = await runtime.service.callMethod({ method: "acme/count" }, ann);
    shared.count = 2;
    expect(first).toEqual({ count: 1, at: "1970-01-01T00:00:00.000Z" });
    expect(await runtime.service.callMethod({ method: "acme/none" }, ann)).toBeNull();
  });

  const cycle: Record<string, unknown> = {};
  cycle["self"] = cycle;
  const deep = JSON.parse(`${"[".repeat(300)}${"]".repeat(300)}`) as object;
  it.each<[string, unknown]>([
    ["a function", () => 1],
    ["a cycle", cycle],
    ["a big integer", { n: 1n }],
    ["a stream", (async function* () {})()],
    ["half of a character", { text: "\ud800" }],
    ["too many levels", deep],
    ["too many bytes", "x".repeat(2000)],
  ])("that answers with %s has failed, and the operator learns why", async (_, result) => {
    verifies("error:invalid-agent-response");
    const settings = { maxEventBytes: 1000 };
    await using runtime = await openWith({ "acme/odd": () => result as object }, { settings });
    const error = await refusal(runtime.service.callMethod({ method: "acme/odd" }, ann));
    expect(error.code).toBe("INVALID_AGENT_RESPONSE");
    const [reported] = runtime.reports;
    expect(String(reported?.error)).toMatch(
      /the method "acme\/odd" of agent "Tested" answered with/,
    );
    expect(error.message).toContain(reported?.reference ?? "nothing");
  });

  it("refuses with an A2AError of its own, and tells nothing of any other error", async () => {
    await using runtime = await openWith({
      "acme/refuse": () => {
        throw new A2AError("PERMISSION_DENIED", "not yours");
      },
      "acme/fail": async () => Promise.reject(new Error("secret")),
    });
    const { service } = runtime;
    expect(await refusal(service.callMethod({ method: "acme/refuse" }, ann))).toMatchObject({
      code: "PERMISSION_DENIED",
      message: "not yours",
    });
    const failed = await refusal(service.callMethod({ method: "acme/fail" }, ann));
    expect(failed.code).toBe("INTERNAL");
    expect(failed.message).not.toContain("secret");
    expect(String(runtime.reports[0]?.error)).toContain("secret");
  });

  it("leaves nothing behind in the store", async () => {
    await using runtime = await openWith({ "acme/ping": () => "pong" });
    await runtime.service.callMethod({ method: "acme/ping" }, ann);
    expect(await runtime.service.listTasks({}, ann)).toMatchObject({ totalSize: 0 });
  });
});

describe("parameters with a schema", () => {
  const schema: StandardSchema<{ readonly items: readonly number[] }> = {
    "~standard": {
      version: 1,
      async validate(value) {
        const { items } = value as { readonly items?: unknown };
        if (!Array.isArray(items)) return { issues: [{ message: "items are missing" }] };
        const wrong = items.findIndex((item) => typeof item !== "number");
        if (wrong === -1) return { value: { items: items as number[] } };
        const path = [{ key: "items" }, wrong];
        return { issues: [{ message: "expected a number", path }, { message: "two" }] };
      },
    },
  };
  const sum = withParams(schema, ({ items }) => items.reduce((total, item) => total + item, 0));

  it("reach the handler as the schema gives them", async () => {
    await using runtime = await openWith({ "acme/sum": sum });
    const request = { method: "acme/sum", params: { items: [1, 2] } };
    expect(await runtime.service.callMethod(request, ann)).toBe(3);
  });

  it("are refused with every field that is wrong", async () => {
    await using runtime = await openWith({ "acme/sum": sum });
    const request = { method: "acme/sum", params: { items: [1, "2"] } };
    expect(await refusal(runtime.service.callMethod(request, ann))).toMatchObject({
      code: "INVALID_PARAMS",
      message: "items[1]: expected a number",
      details: {
        fieldViolations: [
          { field: "items[1]", description: "expected a number" },
          { field: "", description: "two" },
        ],
      },
    });
    const absent = await refusal(runtime.service.callMethod({ method: "acme/sum" }, ann));
    expect(absent.message).toBe("items are missing");
  });
});

describe("a call", () => {
  it("of a method that is not there is not found, whether its extension is active or not", async () => {
    await using runtime = await openWith({ "acme/ping": () => "pong" });
    for (const by of [ann, callBy("ann")]) {
      expect(await refusalCode(runtime.service.callMethod({ method: "toString" }, by))).toBe(
        "METHOD_NOT_FOUND",
      );
    }
  });

  it("that does not activate the extension is refused with its URI", async () => {
    await using runtime = await openWith({ "acme/ping": () => "pong" });
    const call = callBy("ann", { extensions: ["urn:other"] });
    expect(await refusal(runtime.service.callMethod({ method: "acme/ping" }, call))).toMatchObject({
      code: "EXTENSION_SUPPORT_REQUIRED",
      details: { metadata: { requiredExtensions: uri, header: "A2A-Extensions" } },
    });
  });

  it("takes one of the slots of replies, or waits for it in turn, and not for ever", async () => {
    const gate = createDeferred<void>();
    let begun = 0;
    const settings = { maxConcurrentReplies: 1, maxQueuedRuns: 1, maxQueueMs: 1000 };
    const wait: MethodHandler = async () => {
      begun += 1;
      await gate.promise;
      return begun;
    };
    await using runtime = await openWith({ "acme/wait": wait }, { settings });
    const { service, clock } = runtime;
    const request = { method: "acme/wait" };
    const first = service.callMethod(request, ann);
    const second = service.callMethod(request, bob);
    expect(await refusalCode(service.callMethod(request, bob))).toBe("RESOURCE_EXHAUSTED");
    expect(service.figures().runs).toMatchObject({ replies: { working: 1 }, waiting: 1 });
    const late = refusal(second);
    await clock.advance(1000);
    expect((await late).message).toContain("waited 1 s");
    expect(begun).toBe(1);
    const third = service.callMethod(request, bob);
    gate.resolve();
    expect(await first).toBe(1);
    expect(await third).toBe(2);
    expect(service.figures().runs).toMatchObject({ replies: { working: 0 }, waiting: 0 });
  });

  it("whose caller leaves ends at once, and keeps its slot until the handler ends", async () => {
    const gate = createDeferred<void>();
    const aborted = createDeferred<void>();
    await using runtime = await openWith({
      "acme/wait": async (_, { signal }) => {
        signal.addEventListener("abort", () => aborted.resolve());
        await gate.promise;
      },
    });
    const { service } = runtime;
    const leaving = new AbortController();
    const called = refusal(
      service.callMethod({ method: "acme/wait" }, { ...ann, signal: leaving.signal }),
    );
    await expect.poll(() => service.figures().runs.replies.working).toBe(1);
    leaving.abort();
    expect((await called).code).toBe("UNAVAILABLE");
    await aborted.promise;
    expect(service.figures().runs.replies.working).toBe(1);
    gate.resolve();
    await expect.poll(() => service.figures().runs.replies.working).toBe(0);
  });

  it("ends when the node stops, even if its handler does not", async () => {
    const runtime = await openWith({ "acme/wait": () => new Promise<never>(() => {}) });
    const { service, clock } = runtime;
    const called = refusal(service.callMethod({ method: "acme/wait" }, ann));
    await expect.poll(() => service.figures().runs.replies.working).toBe(1);
    const closing = service.close();
    await clock.advance(10_000);
    expect((await called).code).toBe("UNAVAILABLE");
    await closing;
    expect(await refusalCode(service.callMethod({ method: "acme/wait" }, ann))).toBe("UNAVAILABLE");
  });

  it("that is answered at length holds its bytes until the answer is read", async () => {
    await using runtime = await openWith(
      { "acme/long": () => "x".repeat(300_000) },
      {
        settings: { maxReadBytes: 400_000 },
      },
    );
    const { service, clock } = runtime;
    const releases: (() => void)[] = [];
    const call = {
      ...ann,
      holdAnswer: ({ release }: { release: () => void }) => releases.push(release),
    };
    await service.callMethod({ method: "acme/long" }, call);
    expect(releases).toHaveLength(1);
    const second = refusalCode(service.callMethod({ method: "acme/long" }, call));
    await expect.poll(() => service.figures().runs.replies.working).toBe(0);
    await clock.advance(10_000);
    expect(await second).toBe("RESOURCE_EXHAUSTED");
    releases[0]?.();
    expect(await service.callMethod({ method: "acme/long" }, call)).toHaveLength(300_000);
    releases[1]?.();
    // Who calls in this process takes the answer at once.
    for (const by of [bob, bob]) {
      expect(await service.callMethod({ method: "acme/long" }, by)).toHaveLength(300_000);
    }
  });
});

describe("an agent is refused whose extensions", () => {
  const base = { name: "A", description: "x", run: () => "x" };
  const none = (): void => {};
  it.each<[string, unknown, string]>([
    [
      "have a method of 1.0",
      [{ uri, methods: { SendMessage: none } }],
      '"SendMessage"] is a method of the protocol',
    ],
    [
      "have a method of 0.3",
      [{ uri, methods: { "message/send": none } }],
      "is a method of the protocol itself",
    ],
    [
      "have a method of 0.1",
      [{ uri, methods: { "tasks/sendSubscribe": none } }],
      "is a method of the protocol itself",
    ],
    ["have a name that is none", [{ uri, methods: { "a b": none } }], "is no name for a method"],
    [
      "have something else than a function",
      [{ uri, methods: { a: 1 } }],
      "a function that answers a call",
    ],
    ["have a generator", [{ uri, methods: { a: async function* () {} } }], "answers once"],
    ["have no URI", [{ methods: {} }], "uri is missing"],
    ["have a misspelt member", [{ uri, method: {} }], "did you mean methods?"],
    ["share a URI", [{ uri }, { uri }], "twice"],
    [
      "share a method",
      [
        { uri, methods: { a: none } },
        { uri: "urn:b", methods: { a: none } },
      ],
      '"a" twice',
    ],
  ])("%s", (_, extensions, problem) => {
    const definition = { ...base, extensions } as AgentDefinition;
    expect(() => agent(definition)).toThrow(problem);
  });

  it("are declared in capabilities as well", () => {
    const capabilities = { extensions: [{ uri }] };
    expect(() => agent({ ...base, capabilities, extensions: [{ uri }] })).toThrow(
      "expected it once",
    );
  });
});
