/** gRPC by hand over HTTP/2: messages, frames, headers and streams that are right, almost right, and wrong. */
import { connect, constants } from "node:http2";
import type { ClientHttp2Session, IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http2";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import type { Arbitrary } from "fast-check";
import { service as service03 } from "../../src/grpc/gen/a2a-v1.js";
import { service as service10 } from "../../src/grpc/gen/lf-a2a-v1.js";
import { service as extensionService } from "../../src/grpc/gen/parley-a2a-v1.js";
import { binding as binding03 } from "../../src/grpc/v0.3/binding.js";
import { binding as binding10 } from "../../src/grpc/v1.0/binding.js";
import type { ServiceType } from "../../src/grpc/wire-format.js";
import type { Operation } from "../../src/protocol/internal.js";
import { attack } from "./attack.js";
import type { Attack } from "./attack.js";
import { checkClean } from "./check-answers.js";
import { patienceMs } from "./http-answer.js";
import { demand, Misbehaviour } from "./misbehaviour.js";
import { fuzzExtension } from "./fuzz-extension.js";
import { operationRequests } from "./operation-requests.js";
import type { OperationRequest } from "./operation-requests.js";
import { count } from "./tally.js";
import type { ServerProcess } from "./server-process.js";

const services = {
  "1.0": { service: service10, operations: binding10.operations },
  "0.3-proto": { service: service03, operations: binding03.operations },
};
type GrpcDialect = keyof typeof services;

interface Change {
  readonly kind: "byte" | "insert" | "cut" | "repeat" | "field";
  readonly at: number;
  readonly byte: number;
}

interface GrpcInput {
  readonly request: OperationRequest;
  /** In place of that of the operation. */
  readonly path: string | undefined;
  readonly changes: readonly Change[];
  readonly frame: "right" | "flag" | "gzip" | "long" | "short" | "two" | "none" | "half";
  readonly headers: Readonly<Record<string, string>>;
  /** What the caller does once it has written. */
  readonly finally: "end" | "reset" | "leave";
  /** How many streams do the same at once. */
  readonly streams: number;
}

const headers: Arbitrary<Readonly<Record<string, string>>> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  fc.constantFrom<Readonly<Record<string, string>>>(
    { "content-type": "application/json" },
    { "content-type": "application/grpc+json" },
    { "grpc-encoding": "gzip" },
    { "grpc-encoding": "nonsense" },
    { "grpc-timeout": "1n" },
    { "grpc-timeout": "99999999H" },
    { "grpc-timeout": "nonsense" },
    { "a2a-version": "9.9" },
    { "last-event-id": "99999999999999999999" },
    { "x-bin": "not base64!" },
    { "x-api-key": "key-of-bob" },
    { "x-api-key": "nobody" },
    { "idempotency-key": "k".repeat(300) },
    { "x-long": "y".repeat(7000) },
    { ":authority": "evil.example" },
  ),
);

const inputs: Arbitrary<GrpcInput> = fc.record({
  request: operationRequests((dialect) => dialect in services),
  path: fc.oneof(
    { weight: 12, arbitrary: fc.constant(undefined) },
    fc.constantFrom(
      "/",
      "/lf.a2a.v1.A2AService/",
      "/lf.a2a.v1.A2AService/__proto__",
      "/grpc.health.v1.Health/Check",
      "/grpc.health.v1.Health/Watch",
      "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
      `/${"x".repeat(4000)}`,
    ),
  ),
  changes: fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    {
      weight: 3,
      arbitrary: fc.array(
        fc.record({
          kind: fc.constantFrom("byte", "insert", "cut", "repeat", "field"),
          at: fc.nat(500),
          byte: fc.nat(255),
        }),
        { minLength: 1, maxLength: 3 },
      ),
    },
  ),
  frame: fc.oneof(
    { weight: 7, arbitrary: fc.constant("right" as const) },
    fc.constantFrom("flag" as const, "gzip", "long", "short", "two", "none", "half"),
  ),
  headers,
  finally: fc.constantFrom("end", "end", "end", "end", "end", "end", "reset", "leave"),
  streams: fc.oneof({ weight: 15, arbitrary: fc.constant(1) }, fc.constant(20)),
});

function serviceOf(dialect: GrpcDialect, operation: Operation): ServiceType {
  return operation === "callMethod" ? extensionService : services[dialect].service;
}

function methodName(dialect: GrpcDialect, operation: Operation): string {
  if (operation === "callMethod") return "CallMethod";
  const found = Object.entries(services[dialect].operations).find(([, one]) => one === operation);
  return found?.[0] ?? "GetTask";
}

function messageOf({ request, changes }: GrpcInput, fill: (text: string) => string): Buffer {
  const dialect = request.dialect as GrpcDialect;
  const type = serviceOf(dialect, request.operation).methods[
    methodName(dialect, request.operation)
  ];
  let bytes: Buffer = Buffer.alloc(0);
  try {
    const params = JSON.parse(fill(JSON.stringify(request.params))) as never;
    bytes = Buffer.from(type?.request.encode(params) ?? []);
  } catch {
    // What has been changed beyond what can be written is sent as it is.
    bytes = Buffer.from(JSON.stringify(request.params) ?? "");
  }
  for (const { kind, at, byte } of changes) bytes = change(bytes, kind, { at, byte });
  return bytes;
}

function change(
  bytes: Buffer,
  kind: Change["kind"],
  { at, byte }: { readonly at: number; readonly byte: number },
): Buffer {
  const place = at % Math.max(bytes.length, 1);
  const [before, after] = [bytes.subarray(0, place), bytes.subarray(place)];
  switch (kind) {
    case "byte":
      return Buffer.concat([before, Buffer.of(byte), after.subarray(1)]);
    case "insert":
      return Buffer.concat([before, Buffer.of(byte), after]);
    case "cut":
      return before;
    case "repeat":
      // The same fields again: two members of a union, twice the parts.
      return Buffer.concat(Array.from({ length: 1 + (byte % 20) }, () => bytes));
    case "field":
      // A field of any number and type, empty or of a length that is not there.
      return Buffer.concat([bytes, Buffer.of(byte, at % 128), Buffer.alloc(byte % 3)]);
  }
}

function frameOf(input: GrpcInput, fill: (text: string) => string): Buffer {
  const message = messageOf(input, fill);
  const framed = (flag: number, length: number, bytes: Buffer): Buffer => {
    const head = Buffer.of(flag, 0, 0, 0, 0);
    head.writeUInt32BE(length, 1);
    return Buffer.concat([head, bytes]);
  };
  const right = framed(0, message.length, message);
  switch (input.frame) {
    case "right":
      return right;
    case "flag":
      return framed(7, message.length, message);
    case "gzip": {
      const zipped = gzipSync(Buffer.concat([message, Buffer.alloc(100_000)]));
      return framed(1, zipped.length, zipped);
    }
    case "long":
      return framed(0, 0xff_ff_ff_f0, message);
    case "short":
      return framed(0, Math.max(0, message.length - 3), message);
    case "two":
      return Buffer.concat([right, right]);
    case "none":
      return Buffer.alloc(0);
    case "half":
      return right.subarray(0, Math.floor(right.length / 2));
  }
}

/** The connection that streams share, one to each server. */
const sessions = new WeakMap<ServerProcess, ClientHttp2Session>();

function sessionOf(server: ServerProcess): ClientHttp2Session {
  const known = sessions.get(server);
  if (known !== undefined && !known.closed && !known.destroyed) return known;
  const session = connect(`http://127.0.0.1:${server.grpcPort}`);
  session.on("error", () => undefined);
  sessions.set(server, session);
  return session;
}

/** Closes the connection to a server. */
export function leaveGrpc(server: ServerProcess): void {
  sessions.get(server)?.destroy();
}

function headersOf({ request, path, headers: more }: GrpcInput): OutgoingHttpHeaders {
  const dialect = request.dialect as GrpcDialect;
  const { operation } = request;
  const name = `/${serviceOf(dialect, operation).name}/${methodName(dialect, operation)}`;
  return {
    ":method": "POST",
    ":path": path ?? name,
    ...(operation === "callMethod" && { "a2a-extensions": fuzzExtension }),
    "content-type": "application/grpc",
    te: "trailers",
    ...more,
  };
}

/** The statuses by which a server says that it is at fault itself: UNKNOWN, INTERNAL, DATA_LOSS. */
const faults = [2, 13, 15];

/** Mistakes of framing, for which gRPC itself has a client see INTERNAL. */
const isMisframed = ({ frame, headers: given }: GrpcInput): boolean =>
  frame !== "right" || "grpc-encoding" in given || "grpc-timeout" in given || "x-bin" in given;

/** Resolves when the call is answered, and checks it. */
function callOnce(input: GrpcInput, server: ServerProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    const stream = sessionOf(server).request(headersOf(input));
    const chunks: Buffer[] = [];
    let answered: IncomingHttpHeaders | undefined;
    let trailers: IncomingHttpHeaders | undefined;
    const isHeld = input.finally !== "end";
    // Streams of events go on for as long as a task: one that is answered is left after a while.
    const leave = setInterval(() => {
      if (isHeld || answered !== undefined) stream.close(constants.NGHTTP2_CANCEL);
    }, 50);
    // Who leaves does not wait for an answer.
    const late = isHeld
      ? setTimeout(() => stream.destroy(), 200)
      : setTimeout(() => reject(new Misbehaviour("did not answer")), patienceMs);
    stream.on("response", (given) => (answered = given));
    stream.on("trailers", (given) => (trailers = given));
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("error", () => undefined);
    stream.on("close", () => {
      clearInterval(leave);
      clearTimeout(late);
      try {
        checkCall(input, { answered, trailers, body: Buffer.concat(chunks) });
        resolve();
      } catch (error) {
        reject(error);
      }
    });
    const bytes = frameOf(input, (text) => server.fill(text));
    if (input.finally === "end") stream.end(bytes);
    else stream.write(bytes);
    if (input.finally === "reset") stream.close(constants.NGHTTP2_CANCEL);
  });
}

function checkCall(
  input: GrpcInput,
  answer: {
    readonly answered: IncomingHttpHeaders | undefined;
    readonly trailers: IncomingHttpHeaders | undefined;
    readonly body: Buffer;
  },
): void {
  const { answered, trailers, body } = answer;
  checkClean(body.toString("latin1"));
  if (answered === undefined) return count("gRPC without an answer");
  const status = Number(answered[":status"]);
  if (status !== 200) {
    demand(status === 415 || status === 400, () => `answered ${status}`);
    return;
  }
  const given = trailers?.["grpc-status"] ?? answered["grpc-status"];
  // A stream that was left while it was open has none.
  if (given === undefined) return;
  const code = Number(given);
  count(`gRPC ${code}`);
  const message = [trailers?.["grpc-message"] ?? answered["grpc-message"] ?? ""].join();
  demand(Number.isInteger(code) && code >= 0 && code <= 16, () => `grpc-status: ${code}`);
  checkClean(decodeURIComponent(message));
  demand(isMisframed(input) || !faults.includes(code), () => `grpc-status ${code}: ${message}`);
  checkFrames(body);
}

function checkFrames(body: Buffer): void {
  for (let rest = body; rest.length > 0;) {
    demand(rest.length >= 5 && rest[0] === 0, () => "not a frame");
    const length = rest.readUInt32BE(1);
    demand(rest.length >= 5 + length, () => "a frame ends too early");
    rest = rest.subarray(5 + length);
  }
}

export const grpcAttack: Attack = attack<GrpcInput>({
  name: "grpc",
  inputs,
  async send(input, server) {
    await Promise.all(Array.from({ length: input.streams }, () => callOnce(input, server)));
  },
  print: (input) => {
    const shown = (text: string): string => text.slice(0, 4000);
    const bytes = frameOf(input, (text) => text).toString("hex");
    const head = JSON.stringify(headersOf(input));
    return `${shown(head)}\n${shown(bytes)}\n${input.streams} at once, then ${input.finally}`;
  },
});

/** Sends a frame to `SendMessage`. Resolves to the status of the answer. */
export function callGrpc(server: ServerProcess, frame: Buffer): Promise<number> {
  return new Promise((resolve, reject) => {
    const stream = sessionOf(server).request({
      ":method": "POST",
      ":path": `/${service10.name}/SendMessage`,
      "content-type": "application/grpc",
      te: "trailers",
    });
    let status: unknown;
    const late = setTimeout(() => reject(new Misbehaviour("did not answer")), patienceMs);
    stream.on("response", (given) => (status = given["grpc-status"]));
    stream.on("trailers", (given) => (status = given["grpc-status"]));
    stream.on("error", () => undefined);
    stream.on("close", () => {
      clearTimeout(late);
      resolve(Number(status));
    });
    stream.resume();
    stream.end(frame);
  });
}
