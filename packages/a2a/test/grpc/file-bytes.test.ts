import { Client, credentials, Metadata } from "@grpc/grpc-js";
import type { ServiceError } from "@grpc/grpc-js";
import { describe, expect, it, onTestFinished } from "vitest";
import { bytesOf } from "@parley/a2a";
import type { JsonObject } from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { ConnectOptions } from "@parley/a2a/client";
import { grpcTransports } from "@parley/a2a/grpc";
import type { Server } from "@parley/a2a/node";
import { agent } from "@parley/a2a/server";
import { service } from "../../src/grpc/gen/a2a-v1.js";
import type { MethodType } from "../../src/grpc/wire-format.js";
import { bareCard } from "../client/bare-card.js";
import { jsonOf, send } from "../support/clients/http-client.js";
import { openEvents } from "../support/clients/event-client.js";
import { openServer } from "../support/servers/open-server.js";
import type { ServerOptions } from "../support/servers/open-server.js";

const image = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0xff, 0x00, 0xfe]);
/** A file that happens to be base64 from end to end. */
const lookalike = Buffer.from("aGVsbG8=");

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64");
const asText = (bytes: Uint8Array): Buffer => Buffer.from(base64(bytes));

/** Says the bytes that it got, and gives them back as a file. */
const mirror = agent({
  name: "Mirror",
  description: "Shows what it gets",
  inputModes: ["*/*"],
  async *run({ message }) {
    const [part] = message.parts;
    if (part?.raw === undefined) throw new Error("expected a file");
    yield { artifact: "seen", text: Buffer.from(bytesOf(part)).toString("hex") };
    yield { artifact: "file", parts: [{ ...part, raw: part.raw }] };
  },
});

async function open(options: ServerOptions = {}): Promise<Server> {
  const server = await openServer({ agent: mirror, grpc: { port: 0 }, ...options });
  onTestFinished(() => server.close());
  return server;
}

interface Mirrored {
  /** What the agent got. */
  readonly seen: string;
  /** What came back in the bytes. */
  readonly file: Buffer;
}

/** Sends what a caller has in the bytes of a file, and gives what comes back. */
type Send = (server: Server, bytes: Buffer, userAgent: string) => Promise<Mirrored>;

const requestWith = (bytes: Buffer): JsonObject => ({
  message: {
    messageId: "m1",
    role: "ROLE_USER",
    content: [{ file: { fileWithBytes: base64(bytes), mimeType: "image/png" } }],
  },
  configuration: { blocking: true },
});

function mirrored(artifacts: readonly JsonObject[]): Mirrored {
  const [seen, file] = artifacts as unknown as readonly {
    readonly parts: readonly { text: string; file: { fileWithBytes: string } }[];
  }[];
  return {
    seen: seen?.parts[0]?.text ?? "",
    file: Buffer.from(file?.parts[0]?.file.fileWithBytes ?? "", "base64"),
  };
}

const same = (bytes: Buffer): Buffer => bytes;

function callGrpc(
  { grpcAddress = "" }: Server,
  name: "SendMessage" | "SendStreamingMessage",
  request: JsonObject,
  userAgent: string,
): Promise<readonly JsonObject[]> {
  const client = new Client(grpcAddress, credentials.createInsecure(), {
    "grpc.primary_user_agent": userAgent,
  });
  onTestFinished(() => client.close());
  const method = service.methods[name] as MethodType;
  const path = `/${service.name}/${name}`;
  const read = (bytes: Buffer): JsonObject => method.response.decode(bytes) as JsonObject;
  const bytes = method.request.encode(request);
  return new Promise((resolve, reject) => {
    if (name === "SendMessage") {
      const done = (error: ServiceError | null, value?: Buffer): void =>
        error === null && value !== undefined ? resolve([read(value)]) : reject(error);
      client.makeUnaryRequest(path, same, same, bytes, new Metadata(), done);
      return;
    }
    const events: JsonObject[] = [];
    client
      .makeServerStreamRequest(path, same, same, bytes, new Metadata())
      .on("data", (chunk: Buffer) => events.push(read(chunk)))
      .on("end", () => resolve(events))
      .on("error", reject);
  });
}

type Answer = { task: { artifacts: JsonObject[] } };
type Told = { artifactUpdate?: { artifact: JsonObject } };

const ways: Readonly<Record<string, Send>> = {
  "gRPC, SendMessage": async (server, bytes, userAgent) => {
    const [answer] = await callGrpc(server, "SendMessage", requestWith(bytes), userAgent);
    return mirrored((answer as unknown as Answer).task.artifacts);
  },
  "gRPC, SendStreamingMessage": async (server, bytes, userAgent) => {
    const events = await callGrpc(server, "SendStreamingMessage", requestWith(bytes), userAgent);
    return mirrored(
      (events as unknown as Told[]).flatMap(({ artifactUpdate }) =>
        artifactUpdate === undefined ? [] : [artifactUpdate.artifact],
      ),
    );
  },
  "REST, message:send": async ({ url }, bytes, userAgent) => {
    const headers = { "User-Agent": userAgent };
    const json = requestWith(bytes);
    const { task } = jsonOf(await send(url, "POST /v1/message:send", { json, headers })) as Answer;
    const again = await send(url, `GET /v1/tasks/${(task as unknown as { id: string }).id}`, {
      headers,
    });
    expect(jsonOf(again)).toEqual(task);
    return mirrored(task.artifacts);
  },
  "REST, message:stream": async ({ url }, bytes, userAgent) => {
    const headers = { "User-Agent": userAgent };
    const json = requestWith(bytes);
    using stream = await openEvents(url, "POST /v1/message:stream", { json, headers });
    const artifacts: JsonObject[] = [];
    for await (const { data } of stream) {
      for (const line of data) {
        const { artifactUpdate } = JSON.parse(line) as Told;
        if (artifactUpdate !== undefined) artifacts.push(artifactUpdate.artifact);
      }
    }
    return mirrored(artifacts);
  },
};

const textCallers = [
  "grpc-python/1.85.1",
  "grpc-python-asyncio/1.85.1",
  "grpc-go/1.73.0",
  "my-app python-httpx/0.28.1",
];
const rawCallers = ["grpc-node-js/1.14.0", "curl/8.0", "grpc-java-netty/1.70", "agrpc-golang/1"];

describe.each(Object.entries(ways))("over %s of 0.3", (_, ask) => {
  it.each(textCallers)("a caller by %s sends and reads base64 text", async (userAgent) => {
    const server = await open();
    expect(await ask(server, asText(image), userAgent)).toEqual({
      seen: image.toString("hex"),
      file: asText(image),
    });
  });

  it.each(rawCallers)("a caller by %s sends and reads bytes", async (userAgent) => {
    const server = await open();
    for (const bytes of [image, lookalike]) {
      expect(await ask(server, bytes, userAgent)).toEqual({
        seen: bytes.toString("hex"),
        file: bytes,
      });
    }
  });

  it("bytes that are no base64 text are the file, whoever sends them", async () => {
    const server = await open({ fileBytes: "base64" });
    for (const bytes of [
      image,
      Buffer.from("aGVsbG8"),
      Buffer.from("aGVsbG9="),
      Buffer.from("\n"),
    ]) {
      expect((await ask(server, bytes, "curl/8.0")).seen).toBe(bytes.toString("hex"));
    }
  });

  it("an option decides for all callers", async () => {
    const raw = await open({ fileBytes: "raw" });
    expect(await ask(raw, lookalike, "grpc-python/1.85.1")).toEqual({
      seen: lookalike.toString("hex"),
      file: lookalike,
    });
    const text = await open({ fileBytes: "base64" });
    expect(await ask(text, asText(image), "curl/8.0")).toEqual({
      seen: image.toString("hex"),
      file: asText(image),
    });
  });

  it("a function decides by the caller's User-Agent", async () => {
    const server = await open({
      fileBytes: (userAgent) => (userAgent?.startsWith("ours/") === true ? "base64" : "raw"),
    });
    expect((await ask(server, asText(image), "ours/1")).seen).toBe(image.toString("hex"));
    expect((await ask(server, lookalike, "grpc-go/1.73.0")).seen).toBe(lookalike.toString("hex"));
  });
});

it.each([
  ["names 0.3", { "A2A-Version": "0.3" }, image],
  ["names no version", {}, asText(image)],
] as const)("a caller in Go that %s is read as the official one is", async (_, version, seen) => {
  const { url } = await open();
  const headers = { "User-Agent": "Go-http-client/1.1", ...version };
  const json = requestWith(asText(image));
  const answer = await send(url, "POST /v1/message:send", { json, headers });
  const { artifacts } = (jsonOf(answer) as Answer).task;
  expect(mirrored(artifacts)).toEqual({ seen: seen.toString("hex"), file: asText(image) });
});

it.each([7, 2_000_000])(
  "callers get a file of %d bytes each in their own form, also those who read one task at once",
  async (length) => {
    const { url } = await open();
    const file = Buffer.alloc(length, image);
    const json = requestWith(file);
    const sent = jsonOf(await send(url, "POST /v1/message:send", { json })) as {
      readonly task: { readonly id: string };
    };
    const read = async (userAgent: string): Promise<Buffer> => {
      const headers = { "User-Agent": userAgent };
      const answer = await send(url, `GET /v1/tasks/${sent.task.id}`, { headers });
      return mirrored((jsonOf(answer) as Answer["task"]).artifacts).file;
    };
    const [raw, text, again] = await Promise.all(["curl/8.0", "python-httpx/0.28.1", ""].map(read));
    expect([raw, text, again].map((bytes) => bytes?.length)).toEqual([
      length,
      base64(file).length,
      length,
    ]);
    expect(raw?.equals(file)).toBe(true);
    expect(text?.equals(asText(file))).toBe(true);
  },
);

it.each(["JSONRPC", "HTTP+JSON", "GRPC"])(
  "files of 1.0, and those of 0.3 over %s in its other spellings, are never text",
  async (binding) => {
    const server = await open({ fileBytes: "base64" });
    const version = binding === "JSONRPC" ? "0.3" : "1.0";
    expect(await callMirror(server, [binding, version], lookalike)).toEqual({
      seen: lookalike.toString("hex"),
      file: lookalike,
    });
  },
);

it("a body of 0.3 in the JSON-schema form has bytes as they are, whoever sends it", async () => {
  const { url } = await open({ fileBytes: "base64" });
  const file = { bytes: base64(lookalike), mimeType: "text/plain" };
  const message = { messageId: "m", role: "user", parts: [{ kind: "file", file }] };
  const json = { message, configuration: { blocking: true } };
  const answer = await send(url, "POST /v1/message:send", { json });
  expect(answer.text).toContain(lookalike.toString("hex"));
  expect(answer.text).toContain(`"bytes":"${base64(lookalike)}"`);
});

/** Calls the mirror with our client. */
async function callMirror(
  server: Server,
  [protocolBinding, protocolVersion]: readonly [binding: string, version: string],
  bytes: Buffer,
  options: ConnectOptions = {},
): Promise<Mirrored> {
  const url = protocolBinding === "GRPC" ? (server.grpcAddress ?? "") : server.url;
  const supportedInterfaces = [{ url, protocolBinding, protocolVersion }];
  const remote = await connect(bareCard(url, protocolBinding, { supportedInterfaces }), {
    transports: grpcTransports(),
    ...options,
  });
  const raw = base64(bytes);
  const { task } = await remote.service.sendMessage(
    { message: { messageId: "m", role: "ROLE_USER", parts: [{ raw }] } },
    { version: protocolVersion === "1.0" ? "1.0" : "0.3" },
  );
  const [seen, file] = task?.artifacts ?? [];
  return {
    seen: seen?.parts[0]?.text ?? "",
    file: Buffer.from(file?.parts[0]?.raw ?? "", "base64"),
  };
}

describe.each(["HTTP+JSON", "GRPC"])("a client over %s of 0.3", (binding) => {
  it("sends and reads base64 text where its agent does", async () => {
    const server = await open({ fileBytes: "base64" });
    const options = { fileBytes: "base64" } as const;
    for (const bytes of [image, lookalike]) {
      expect(await callMirror(server, [binding, "0.3"], bytes, options)).toEqual({
        seen: bytes.toString("hex"),
        file: bytes,
      });
    }
  });

  it("sends and reads bytes where it is told nothing", async () => {
    const server = await open();
    for (const bytes of [image, lookalike]) {
      expect(await callMirror(server, [binding, "0.3"], bytes)).toEqual({
        seen: bytes.toString("hex"),
        file: bytes,
      });
    }
  });

  it("shows what an agent with base64 text makes of bytes, unless it is told", async () => {
    const server = await open({ fileBytes: "base64" });
    expect(await callMirror(server, [binding, "0.3"], image)).toEqual({
      seen: image.toString("hex"),
      file: asText(image),
    });
  });
});
