import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Metadata, Server, ServerCredentials } from "@grpc/grpc-js";
import type { ServerUnaryCall, ServerWritableStream } from "@grpc/grpc-js";
import type {
  AgentCard,
  JsonObject,
  Operation,
  ProtocolVersion,
  StreamResponse,
} from "@parley/a2a";
import { connect } from "@parley/a2a/client";
import type { ConnectOptions, RemoteAgent } from "@parley/a2a/client";
import { grpcTransports } from "@parley/a2a/grpc";
import type { Binding } from "../../../src/grpc/binding.js";
import { binding as grpc03 } from "../../../src/grpc/v0.3/binding.js";
import { binding as grpc10 } from "../../../src/grpc/v1.0/binding.js";
import { A2AError, isStreaming } from "../../../src/protocol/internal.js";
import type { UnaryOperation } from "../../../src/protocol/internal.js";
import type { Codec } from "../../../src/wire/codec.js";
import { codecs } from "../../../src/wire/codecs.js";
import type { Dialect } from "../../../src/wire/dialect.js";
import { grpcStatusCodes, grpcStatuses } from "../../../src/wire/errors/grpc-statuses.js";
import { matchRestRoute } from "../../../src/wire/rest/match-rest-route.js";
import { bareCard } from "../bare-card.js";

/** The answer to a streaming operation: events without numbers and heartbeats, as most SDKs send them. */
export interface Streamed {
  readonly events: readonly StreamResponse[];
  /** Whether the peer leaves the stream open after the last event, and says no more. */
  readonly staysOpen?: boolean;
}

/** What a peer answers to each operation, in the model; it throws what it refuses. */
export type Script = Readonly<Partial<Record<Operation, (body: JsonObject) => object>>>;

export interface Peer extends AsyncDisposable {
  readonly agent: RemoteAgent;
  /** The operations that were asked for, in order. */
  readonly asked: readonly Operation[];
}

/** Connects to a peer that does what a script says, over one interface and a real socket. */
export async function openPeer(
  [binding, version]: readonly [binding: string, version: ProtocolVersion],
  script: Script,
  options: ConnectOptions = {},
): Promise<Peer> {
  const asked: Operation[] = [];
  const answer = (operation: Operation, body: JsonObject): object => {
    asked.push(operation);
    const { [operation]: act } = script;
    if (act === undefined) throw new A2AError("METHOD_NOT_FOUND", `no ${operation}`);
    return act(body);
  };
  const { url, close } =
    binding === "GRPC"
      ? await listenGrpc(version === "1.0" ? grpc10 : grpc03, answer)
      : await listenHttp(codecs[dialectOf(binding, version)], binding, answer);
  const card: AgentCard = bareCard(url, binding, {
    capabilities: { streaming: true },
    supportedInterfaces: [{ url, protocolBinding: binding, protocolVersion: version }],
  });
  const agent = await connect(card, { transports: grpcTransports(), ...options });
  return { agent, asked, [Symbol.asyncDispose]: close };
}

type Answer = (operation: Operation, body: JsonObject) => object;

interface Listening {
  readonly url: string;
  readonly close: () => Promise<void>;
}

function dialectOf(binding: string, version: ProtocolVersion): Dialect {
  if (version === "1.0" || version === "0.1") return version;
  return binding === "HTTP+JSON" ? "0.3-proto" : "0.3";
}

async function listenHttp(codec: Codec, binding: string, answer: Answer): Promise<Listening> {
  const reply = binding === "JSONRPC" ? replyToRpc : replyToRest;
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8");
    request.on("data", (text: string) => (body += text));
    request.once("end", () => {
      reply(codec, { request, response, body: JSON.parse(body || "{}") as JsonObject, answer });
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

interface Asking {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: JsonObject;
  readonly answer: Answer;
}

function replyToRpc(codec: Codec, { response, body, answer }: Asking): void {
  const { id = null, method, params } = body;
  const wrap = (members: object): string => JSON.stringify({ jsonrpc: "2.0", id, ...members });
  const found = Object.entries(codec.jsonRpcMethods).find(([, name]) => name === method);
  const operation = found?.[0] as Operation;
  try {
    const answered = answer(operation, params as JsonObject);
    if (isStreaming(operation)) {
      streamTo(response, printed(codec, answered as Streamed), answered, (result) =>
        wrap({ result }),
      );
      return;
    }
    const result = codec.encodeResult[operation as UnaryOperation](answered as never, {} as never);
    response.setHeader("Content-Type", "application/json").end(wrap({ result }));
  } catch (error) {
    if (!A2AError.is(error)) throw error;
    const refused = wrap({ error: codec.encodeJsonRpcError(error) });
    response.setHeader("Content-Type", "application/json").end(refused);
  }
}

function replyToRest(codec: Codec, { request, response, body, answer }: Asking): void {
  const [path = ""] = (request.url ?? "").split("?");
  const matched = matchRestRoute(request.method ?? "", path);
  if (matched.kind !== "route") throw new Error(`no route for ${request.method} ${path}`);
  const { operation } = matched;
  try {
    const answered = answer(operation, body);
    if (isStreaming(operation)) {
      streamTo(response, printed(codec, answered as Streamed), answered, JSON.stringify);
      return;
    }
    const result = codec.encodeResult[operation](answered as never, {} as never);
    response.setHeader("Content-Type", "application/json").end(JSON.stringify(result));
  } catch (error) {
    if (!A2AError.is(error)) throw error;
    const refused = codec.encodeHttpError(error);
    response.writeHead(refused.status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(refused.body));
  }
}

function printed(codec: Codec, { events }: Streamed): readonly unknown[] {
  return events.flatMap((event, index) => {
    const final = index === events.length - 1 && event.statusUpdate !== undefined;
    return codec.encodeEvent(event, { final, artifactIndex: () => 0 });
  });
}

function streamTo(
  response: ServerResponse,
  events: readonly unknown[],
  { staysOpen }: Partial<Streamed>,
  write: (event: unknown) => string,
): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" }).flushHeaders();
  for (const event of events) response.write(`data: ${write(event)}\n\n`);
  if (staysOpen !== true) response.end();
}

const same = (bytes: Buffer): Buffer => bytes;

async function listenGrpc(binding: Binding, answer: Answer): Promise<Listening> {
  const { service, codec } = binding;
  const server = new Server();
  for (const [name, operation] of Object.entries(binding.operations)) {
    const method = service.methods[name];
    if (method === undefined) throw new Error(`the service has no ${name}`);
    const definition = {
      path: `/${service.name}/${name}`,
      requestStream: false,
      responseStream: isStreaming(operation),
      requestSerialize: same,
      requestDeserialize: same,
      responseSerialize: same,
      responseDeserialize: same,
    };
    const ask = (bytes: Buffer) => answer(operation, method.request.decode(bytes) as JsonObject);
    const reply = isStreaming(operation)
      ? (call: ServerWritableStream<Buffer, Buffer>): void => {
          try {
            const streamed = ask(call.request) as Streamed;
            call.sendMetadata(new Metadata());
            for (const event of printed(codec, streamed)) {
              call.write(method.response.encode(event as JsonObject));
            }
            if (streamed.staysOpen !== true) call.end();
          } catch (error) {
            call.emit("error", statusOf(error, binding));
          }
        }
      : (
          call: ServerUnaryCall<Buffer, Buffer>,
          done: (error: object | null, bytes?: Buffer) => void,
        ): void => {
          try {
            const result = codec.encodeResult[operation as UnaryOperation](
              ask(call.request) as never,
              {} as never,
            );
            done(null, method.response.encode((result ?? {}) as JsonObject));
          } catch (error) {
            done(statusOf(error, binding));
          }
        };
    server.addService({ [name]: definition }, { [name]: reply as never });
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync("127.0.0.1:0", ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return {
    url: `127.0.0.1:${port}`,
    close: async () => server.forceShutdown(),
  };
}

/** An error as the official servers of 0.3 tell it: its name is in the message, and there are no details. */
function statusOf(error: unknown, { version }: Binding): object {
  if (!A2AError.is(error)) throw error;
  const name = error.code
    .toLowerCase()
    .replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
  const details = `${name}Error: ${error.message}`;
  return { code: grpcStatusCodes[grpcStatuses[version][error.code]], details };
}
