import { Client, credentials, Metadata } from "@grpc/grpc-js";
import type { CallOptions, ClientReadableStream, ServiceError } from "@grpc/grpc-js";
import { service as service03 } from "../../../src/grpc/gen/a2a-v1.js";
import { ErrorInfoMessage, StatusMessage } from "../../../src/grpc/gen/google-rpc.js";
import { service as service10 } from "../../../src/grpc/gen/lf-a2a-v1.js";
import type { MethodType } from "../../../src/grpc/wire-format.js";
import type { JsonObject } from "../../../src/protocol/internal.js";

const services = { "0.3": service03, "1.0": service10 };

export type Version = keyof typeof services;

export interface RawAnswer {
  readonly error?: ServiceError;
  readonly message?: JsonObject;
  readonly initial?: Metadata;
  readonly trailers?: Metadata;
}

interface RawCall {
  readonly metadata?: Readonly<Record<string, string>>;
  readonly options?: CallOptions;
}

const same = (bytes: Buffer): Buffer => bytes;

/** A client that can send any bytes, and hides nothing of what comes back. */
export class RawClient {
  readonly client: Client;

  constructor(address: string, channel = credentials.createInsecure()) {
    this.client = new Client(address, channel);
  }

  /** Calls with a message in its JSON form, or with bytes as they are. */
  call(
    version: Version,
    method: string,
    request: JsonObject | Buffer,
    call: RawCall = {},
  ): Promise<RawAnswer> {
    return this.#send(
      `/${services[version].name}/${method}`,
      typeOf(version, method),
      request,
      call,
    );
  }

  /** Calls a method by a name with the messages of another. */
  callAs(
    version: Version,
    name: string,
    method: string,
    request: JsonObject | Buffer,
  ): Promise<RawAnswer> {
    return this.#send(`/${services[version].name}/${name}`, typeOf(version, method), request, {});
  }

  #send(
    path: string,
    type: MethodType,
    request: JsonObject | Buffer,
    { metadata = {}, options = {} }: RawCall,
  ): Promise<RawAnswer> {
    const bytes = Buffer.isBuffer(request) ? request : type.request.encode(request);
    return new Promise((resolve) => {
      let initial: Metadata | undefined;
      let answer: RawAnswer = {};
      const call = this.client.makeUnaryRequest(
        path,
        same,
        same,
        bytes,
        metadataOf(metadata),
        options,
        (error: ServiceError | null, value?: Buffer) => {
          answer = {
            ...(error !== null && { error }),
            ...(value && { message: type.response.decode(value) as JsonObject }),
          };
        },
      );
      call.on("metadata", (received) => (initial = received));
      call.on("status", ({ metadata: trailers }) => {
        // The callback runs at the same time as this event, in no certain order.
        setImmediate(() => resolve({ ...answer, ...(initial && { initial }), trailers }));
      });
    });
  }

  stream(
    version: Version,
    method: string,
    request: JsonObject,
    { metadata = {}, options = {} }: RawCall = {},
  ): ClientReadableStream<Buffer> {
    const bytes = typeOf(version, method).request.encode(request);
    const path = `/${services[version].name}/${method}`;
    return this.client.makeServerStreamRequest(
      path,
      same,
      same,
      bytes,
      metadataOf(metadata),
      options,
    );
  }

  /** The first message of a stream, or its error; the rest is left. */
  async first(
    version: Version,
    method: string,
    request: JsonObject,
    call: RawCall = {},
  ): Promise<RawAnswer> {
    const stream = this.stream(version, method, request, call);
    const { response } = typeOf(version, method);
    return new Promise((resolve) => {
      stream.once("error", (failure) => resolve({ error: failure as ServiceError }));
      stream.once("end", () => setImmediate(() => resolve({})));
      stream.once("data", (bytes: Buffer) => {
        resolve({ message: response.decode(bytes) as JsonObject });
        stream.on("error", () => {});
        stream.cancel();
      });
    });
  }

  /** Reads a stream to its end, or error. */
  async collect(
    version: Version,
    method: string,
    request: JsonObject,
    call: RawCall = {},
  ): Promise<RawAnswer & { readonly events: readonly JsonObject[] }> {
    const stream = this.stream(version, method, request, call);
    const type = typeOf(version, method);
    const events: JsonObject[] = [];
    let initial: Metadata | undefined;
    let trailers: Metadata | undefined;
    stream.on("metadata", (received) => (initial = received));
    stream.on("status", (status) => (trailers = status.metadata));
    stream.on("data", (bytes: Buffer) => {
      events.push(type.response.decode(bytes) as JsonObject);
    });
    const error = await new Promise<ServiceError | undefined>((resolve) => {
      stream.on("error", (failure) => resolve(failure as ServiceError));
      stream.on("end", () => setImmediate(() => resolve(undefined)));
    });
    return {
      events,
      ...(error && { error }),
      ...(initial && { initial }),
      ...(trailers && { trailers }),
    };
  }

  /** A request with the five bytes that gRPC puts before it. */
  frame(version: Version, method: string, request: JsonObject): Buffer {
    const bytes = typeOf(version, method).request.encode(request);
    const head = Buffer.alloc(5);
    head.writeUInt32BE(bytes.length, 1);
    return Buffer.concat([head, bytes]);
  }

  close(): void {
    this.client.close();
  }
}

/** The reason in the details of an error. */
export function reasonOf(error: ServiceError | undefined): JsonObject {
  const [bytes] = error?.metadata.get("grpc-status-details-bin") ?? [];
  if (!Buffer.isBuffer(bytes)) return {};
  const { details } = StatusMessage.decode(bytes) as {
    details: readonly { typeUrl: string; value: string }[];
  };
  const info = details.find(({ typeUrl }) => typeUrl.endsWith("google.rpc.ErrorInfo"));
  return info === undefined
    ? {}
    : (ErrorInfoMessage.decode(Buffer.from(info.value, "base64")) as JsonObject);
}

export function say(text: string): JsonObject {
  return { message: { messageId: "m1", role: "ROLE_USER", parts: [{ text }] } };
}

/** The same in 0.3, whose field has another name. */
export function say03(text: string): JsonObject {
  return { message: { messageId: "m1", role: "ROLE_USER", content: [{ text }] } };
}

function typeOf(version: Version, method: string): MethodType {
  const type = services[version].methods[method];
  if (type === undefined) throw new Error(`${version} has no method ${method}`);
  return type;
}

function metadataOf(values: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(values)) metadata.set(name, value);
  return metadata;
}
