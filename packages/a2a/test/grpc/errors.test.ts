import { connect } from "node:http2";
import type { ClientHttp2Session } from "node:http2";
import { status } from "@grpc/grpc-js";
import type { ServiceError } from "@grpc/grpc-js";
import { beforeAll, afterAll, describe, expect, test } from "vitest";
import { openGrpcServer } from "../../src/grpc/index.js";
import type { GrpcServer } from "../../src/grpc/index.js";
import { StatusMessage, ErrorInfoMessage } from "../../src/grpc/gen/google-rpc.js";
import { agent, openRuntime } from "../../src/server/index.js";
import type { Runtime } from "../../src/server/index.js";
import { createMemoryStore } from "../../src/store/memory/index.js";
import { verifies } from "../spec/verifies.js";
import { RawClient, reasonOf, say, say03 } from "../support/clients/raw-grpc-client.js";

const echo = agent({
  name: "Echo",
  description: "Repeats",
  capabilities: { streaming: false },
  run: ({ text }) => text,
});

let runtime: Runtime;
let server: GrpcServer;
let client: RawClient;

beforeAll(async () => {
  runtime = await openRuntime({ agent: echo, store: createMemoryStore() });
  server = await openGrpcServer(runtime, { port: 0 });
  client = new RawClient(`127.0.0.1:${server.port}`);
});

afterAll(async () => {
  client.close();
  await server.close();
  await runtime.close();
});

const domain = "a2a-protocol.org";

describe("an error over gRPC", () => {
  test.each([
    ["1.0", "GetTask", { id: "none" }, "Task not found: "],
    ["0.3", "GetTask", { name: "tasks/none" }, "TaskNotFoundError: Task not found: "],
    ["1.0", "GetTask", { id: "" }, "Invalid parameters: id: "],
    ["0.3", "GetTask", { name: "" }, "InvalidParamsError: Invalid parameters: name: "],
  ] as const)(
    "has the specification's words first, in %s of %s(%j)",
    async (version, method, request, words) => {
      const { error } = await client.call(version, method, request);
      expect(error?.details.startsWith(words)).toBe(true);
      expect(error?.details.length).toBeGreaterThan(words.length);
    },
  );

  test.each([
    ["1.0", "GetTask", { id: "" }, "INVALID_PARAMS"],
    ["0.3", "GetTask", { name: "" }, "INVALID_PARAMS"],
    ["1.0", "SendMessage", Buffer.from([0, 0]), "PARSE_ERROR"],
    ["0.3", "SendMessage", Buffer.from([0, 0]), "PARSE_ERROR"],
  ] as const)(
    "carries its reason when an argument is not valid, in %s of %s(%j)",
    async (version, method, request, reason) => {
      verifies("grpc:error-info");
      const { error } = await client.call(version, method, request);
      expect(error?.code).toBe(status.INVALID_ARGUMENT);
      expect(reasonOf(error)).toMatchObject({ reason, domain });
    },
  );

  test.each(["1.0", "0.3"] as const)(
    "carries its reason when %s has no such method",
    async (version) => {
      verifies("grpc:error-info");
      const message = version === "1.0" ? say("hi") : say03("hi");
      const { error } = await client.callAs(version, "Forget", "SendMessage", message);
      expect(error).toMatchObject({ code: status.UNIMPLEMENTED });
      expect(error?.details).toMatch(/^Method not found: this server has no method .*Forget/);
      expect(reasonOf(error)).toMatchObject({ reason: "METHOD_NOT_FOUND", domain });
    },
  );

  test("carries its reason when 0.3 says that an operation is not supported", async () => {
    const { error } = await client.first("0.3", "SendStreamingMessage", say03("hi"));
    expect(error).toMatchObject({ code: status.UNIMPLEMENTED });
    expect(reasonOf(error)).toMatchObject({ reason: "UNSUPPORTED_OPERATION", domain });
  });

  const brokenCalls: readonly {
    readonly when: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly bytes: Buffer;
    readonly code: number;
    readonly reason: string;
  }[] = [
    {
      when: "its deadline is not one",
      headers: { "grpc-timeout": "soon" },
      bytes: frame(0),
      code: status.INVALID_ARGUMENT,
      reason: "INVALID_REQUEST",
    },
    {
      when: "its message is compressed in an unknown way",
      headers: { "grpc-encoding": "br" },
      bytes: frame(1),
      code: status.UNIMPLEMENTED,
      reason: "UNSUPPORTED_OPERATION",
    },
    {
      when: "its message is not what it is said to be",
      headers: { "grpc-encoding": "gzip" },
      bytes: frame(1),
      code: status.INVALID_ARGUMENT,
      reason: "INVALID_REQUEST",
    },
  ];

  test.each(brokenCalls)(
    "carries its reason when $when",
    async ({ headers, bytes, code, reason }) => {
      const trailers = await sendRaw(headers, bytes);
      expect(trailers["grpc-status"]).toBe(String(code));
      const info = infoIn(String(trailers["grpc-status-details-bin"]));
      expect(info).toMatchObject({ code, reason, domain });
    },
  );
});

describe("a page of tasks over gRPC", () => {
  test("has the usual size when its size is 0, which clients write that have set none", async () => {
    const unset = await client.call("1.0", "ListTasks", {});
    const zero = await client.call("1.0", "ListTasks", { pageSize: 0 });
    expect(zero.error).toBeUndefined();
    expect(zero.message).toEqual(unset.message);
    expect(zero.message).toMatchObject({ pageSize: 50 });
  });

  test.each([-1, 101])("cannot have a size of %i", async (pageSize) => {
    const { error } = await client.call("1.0", "ListTasks", { pageSize });
    expect(error).toMatchObject({ code: status.INVALID_ARGUMENT });
    expect(reasonOf(error as ServiceError)).toMatchObject({ reason: "INVALID_PARAMS" });
  });
});

/** A message of five bytes that no message of a request begins with. */
function frame(compressed: 0 | 1): Buffer {
  return Buffer.from([compressed, 0, 0, 0, 5, 1, 2, 3, 4, 5]);
}

/** Calls with headers that no client sends. Resolves to the headers of an answer that is a status only. */
async function sendRaw(
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): Promise<Record<string, unknown>> {
  const session: ClientHttp2Session = connect(`http://127.0.0.1:${server.port}`);
  try {
    const path = "/lf.a2a.v1.A2AService/SendMessage";
    const fixed = { ":method": "POST", ":path": path, "content-type": "application/grpc" };
    const stream = session.request({ ...fixed, ...headers });
    stream.on("error", () => undefined);
    stream.end(body);
    return await new Promise((resolve) => {
      stream.once("response", (received) => resolve({ ...received }));
    });
  } finally {
    session.close();
  }
}

function infoIn(base64: string): unknown {
  const found = StatusMessage.decode(Buffer.from(base64, "base64")) as {
    readonly code: number;
    readonly details: readonly { readonly value: string }[];
  };
  const [first] = found.details;
  const info = ErrorInfoMessage.decode(Buffer.from(first?.value ?? "", "base64")) as object;
  return { code: found.code, ...info };
}
