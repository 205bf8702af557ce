import { createFileRegistry, fromBinary, fromJson, toBinary, toJson } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { Client, credentials, Metadata, status } from "@grpc/grpc-js";
import type { ClientDuplexStream } from "@grpc/grpc-js";
import { A2AError } from "@parley/a2a";
import type { AgentService } from "@parley/a2a";
import { openGrpcServer } from "@parley/a2a/grpc";
import type { Server } from "@parley/a2a/node";
import { createMemoryStore } from "@parley/a2a/store/memory";
import protobuf from "protobufjs";
import "protobufjs/ext/descriptor/index.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { authenticatorOf } from "../support/auth/authenticator-of.js";
import { extendedDemoAgent } from "../support/servers/open-demo.js";
import { addressOf, openServed } from "../support/servers/open-served.js";
import { verifies } from "../spec/verifies.js";

let serving: Server;
let client: Client;

beforeAll(async () => {
  serving = await openServed();
  client = new Client(addressOf(serving), credentials.createInsecure());
});

afterAll(async () => {
  client.close();
  await serving.close();
});

const same = (bytes: Buffer): Buffer => bytes;

/** The least that any reflection client knows: the messages of reflection itself. */
const { root: reflection } = protobuf.parse(`
  syntax = "proto3";
  message Request {
    string host = 1;
    oneof message_request {
      string file_by_filename = 3;
      string file_containing_symbol = 4;
      string all_extension_numbers_of_type = 6;
      string list_services = 7;
    }
  }
  message Response {
    FileDescriptorResponse file_descriptor_response = 4;
    ListServiceResponse list_services_response = 6;
    ErrorResponse error_response = 7;
  }
  message FileDescriptorResponse { repeated bytes file_descriptor_proto = 1; }
  message ListServiceResponse { repeated ServiceResponse service = 1; }
  message ServiceResponse { string name = 1; }
  message ErrorResponse { int32 error_code = 1; string error_message = 2; }
`);

interface Reflected {
  readonly fileDescriptorResponse?: { readonly fileDescriptorProto: readonly Uint8Array[] };
  readonly listServicesResponse?: { readonly service: readonly { readonly name: string }[] };
  readonly errorResponse?: { readonly errorCode: number };
}

/** Asks one question after the other in one stream. */
async function reflect(version: string, ...questions: readonly object[]): Promise<Reflected[]> {
  const [request, response] = ["Request", "Response"].map((name) => reflection.lookupType(name));
  if (request === undefined || response === undefined) throw new Error("there are no messages");
  const path = `/grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`;
  const stream: ClientDuplexStream<Buffer, Buffer> = client.makeBidiStreamRequest(path, same, same);
  for (const question of questions) {
    stream.write(Buffer.from(request.encode(request.fromObject(question)).finish()));
  }
  stream.end();
  const answers: Reflected[] = [];
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    answers.push(response.toObject(response.decode(bytes)) as Reflected);
  }
  return answers;
}

test.each(["v1", "v1alpha"])("reflection %s lists the services", async (version) => {
  const [answer] = await reflect(version, { listServices: "" });
  expect(answer?.listServicesResponse?.service.map(({ name }) => name)).toEqual([
    "lf.a2a.v1.A2AService",
    "a2a.v1.A2AService",
    "grpc.health.v1.Health",
    "grpc.reflection.v1.ServerReflection",
  ]);
});

test("reflection asks for credentials where the agents do, and for no others", async () => {
  const auth = authenticatorOf(async (shown) => {
    if (shown.header("authorization") === "Bearer x") return { subject: "ada" };
    throw new A2AError("UNAUTHENTICATED", "who?");
  });
  const mount = (path: string, own: typeof auth | false) => ({
    agent: { service: {} as AgentService, card: () => extendedDemoAgent(() => "").card([]) },
    path,
    auth: own,
  });
  const ask = async (authorization: string, ...mounts: ReturnType<typeof mount>[]) => {
    await using server = await openGrpcServer({ mounts, port: 0, drainMs: 100 });
    const asker = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
    const metadata = new Metadata();
    if (authorization !== "") metadata.set("authorization", authorization);
    const path = "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo";
    const stream = asker.makeBidiStreamRequest(path, same, same, metadata);
    stream.end(Buffer.from([58, 0]));
    const ended = new Promise((resolve) => {
      stream.on("status", resolve).on("error", () => {});
      stream.resume();
    });
    const { code } = (await ended) as { code: number };
    asker.close();
    return code;
  };
  expect(await ask("", mount("/a", auth))).toBe(status.UNAUTHENTICATED);
  expect(await ask("Bearer y", mount("/a", auth), mount("/b", auth))).toBe(status.UNAUTHENTICATED);
  expect(await ask("Bearer x", mount("/a", auth))).toBe(status.OK);
  expect(await ask("", mount("/a", auth), mount("/b", false))).toBe(status.OK);
});

test("reflection describes files by name and by symbol, and says what it does not know", async () => {
  const [byName, bySymbol, unknown] = await reflect(
    "v1",
    { fileByFilename: "a2a/v1/a2a.proto" },
    { fileContainingSymbol: "lf.a2a.v1.A2AService.SendMessage" },
    { fileContainingSymbol: "lf.a2a.v1.Nothing" },
  );
  expect(byName?.fileDescriptorResponse?.fileDescriptorProto.length).toBeGreaterThan(3);
  expect(bySymbol?.fileDescriptorResponse?.fileDescriptorProto.length).toBeGreaterThan(3);
  expect(unknown?.errorResponse).toMatchObject({ errorCode: 5 });
});

/** What the descriptors say, as protobufjs reads them. */
async function describeSymbol(symbol: string): Promise<protobuf.Root> {
  const [answer] = await reflect("v1", { fileContainingSymbol: symbol });
  const file = answer?.fileDescriptorResponse?.fileDescriptorProto ?? [];
  const { Root } = protobuf as unknown as {
    Root: { fromDescriptor: (set: Uint8Array) => protobuf.Root };
  };
  const set = protobuf.Writer.create();
  for (const bytes of file) set.uint32(10).bytes(bytes);
  return Root.fromDescriptor(set.finish());
}

test.each([
  ["lf.a2a.v1", { parts: [{ text: "echo hello" }] }, "message"],
  ["a2a.v1", { content: [{ text: "echo hello" }] }, "msg"],
])("a client built from reflection alone sends a message to %s", async (name, content, answer) => {
  verifies("grpc:service");
  const described = await describeSymbol(`${name}.A2AService`);
  const method = described.lookupService(`${name}.A2AService`).methods["SendMessage"];
  if (method === undefined) throw new Error("the method is not described");
  const request = described.lookupType(method.requestType);
  const response = described.lookupType(method.responseType);
  const message = { message_id: "m1", role: "ROLE_USER", ...content };
  const sent = request.fromObject(name === "a2a.v1" ? { request: message } : { message });
  const bytes = await new Promise<Buffer>((resolve, reject) => {
    client.makeUnaryRequest(
      `/${name}.A2AService/SendMessage`,
      same,
      same,
      Buffer.from(request.encode(sent).finish()),
      new Metadata(),
      (error, value?: Buffer) => (error === null && value ? resolve(value) : reject(error)),
    );
  });
  const received = response.toObject(response.decode(bytes), { enums: String });
  const parts = { role: "ROLE_AGENT", ...JSON.parse(JSON.stringify(content).replace("echo ", "")) };
  expect(received).toMatchObject({ [answer]: parts });
});

test.each([
  ["lf.a2a.v1", "parts"],
  ["a2a.v1", "content"],
])("a tool that speaks JSON finds every name of it in what %s describes", async (name, parts) => {
  const [answer] = await reflect("v1", { fileContainingSymbol: `${name}.A2AService` });
  const described = answer?.fileDescriptorResponse?.fileDescriptorProto ?? [];
  const [first, ...others] = described.map((bytes) => fromBinary(FileDescriptorProtoSchema, bytes));
  if (first === undefined) throw new Error("nothing is described");
  const registry = createFileRegistry(first, (path) => others.find((file) => file.name === path));
  const request = registry.getMessage(`${name}.SendMessageRequest`);
  if (request === undefined) throw new Error("the message is not described");
  const message = { messageId: "m1", taskId: "t1", role: "ROLE_USER", [parts]: [{ text: "hi" }] };
  const json = { message, configuration: { acceptedOutputModes: ["text/plain"] } };
  const bytes = toBinary(request, fromJson(request, json));
  expect(toJson(request, fromBinary(request, bytes))).toEqual(json);
});

const isServing = Buffer.from([8, 1]);
const isNotServing = Buffer.from([8, 2]);

/** What the health service says of a service, or without a name of the server. */
function checkHealth(asker: Client, service = ""): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const bytes = service === "" ? Buffer.alloc(0) : Buffer.from(`\n${lengthOf(service)}`);
    asker.makeUnaryRequest(
      "/grpc.health.v1.Health/Check",
      same,
      same,
      bytes,
      (error, value?: Buffer) => (error === null && value ? resolve(value) : reject(error)),
    );
  });
}

test("the health service knows the server and its services", async () => {
  expect(await checkHealth(client)).toEqual(isServing);
  expect(await checkHealth(client, "lf.a2a.v1.A2AService")).toEqual(isServing);
  await expect(checkHealth(client, "nothing")).rejects.toMatchObject({ code: 5 });
});

test("the health service takes a check that fails for one that says no", async () => {
  const card = extendedDemoAgent(() => "").card([]);
  const server = await openGrpcServer({
    mounts: [{ agent: { service: {} as AgentService, card: () => card } }],
    port: 0,
    isReady: () => {
      throw new Error("the check is broken");
    },
  });
  const asker = new Client(`127.0.0.1:${server.port}`, credentials.createInsecure());
  try {
    expect(await checkHealth(asker)).toEqual(isNotServing);
  } finally {
    asker.close();
    await server.close();
  }
});

test("the health service says so when the store does not answer", async () => {
  const store = createMemoryStore();
  const other = await openServed({ store });
  const asker = new Client(addressOf(other), credentials.createInsecure());
  try {
    expect(await checkHealth(asker)).toEqual(isServing);
    await store.close();
    expect(await checkHealth(asker)).toEqual(isNotServing);
    expect(await checkHealth(asker, "lf.a2a.v1.A2AService")).toEqual(isNotServing);
  } finally {
    asker.close();
    await other.close();
  }
});

function lengthOf(text: string): string {
  return `${String.fromCharCode(text.length)}${text}`;
}
