import { Metadata, status as statuses } from "@grpc/grpc-js";
import type { ServiceError } from "@grpc/grpc-js";
import { unreachable } from "../binding/internal.js";
import { A2AError } from "../protocol/internal.js";
import type { ErrorCode, JsonObject, Operation } from "../protocol/internal.js";
import { decodeGrpcError, encodeGrpcError } from "../wire/internal.js";
import type { GrpcVersion } from "../wire/internal.js";
import { BadRequestMessage, ErrorInfoMessage, RetryInfoMessage } from "./gen/google-rpc.js";
import { StatusMessage } from "./gen/google-rpc.js";
import type { CallStatus } from "./http2/server-call.js";
import { StatusError } from "./http2/status-error.js";
import { WireFormatError } from "./wire-format.js";
import type { MessageType } from "./wire-format.js";

const trailer = "grpc-status-details-bin";

/** Clients limit the size of all trailers together, often to 8 KiB. */
const maxDetailsBytes = 4096;
const maxMessageLength = 1024;

/** By their names, with which the URLs of their types end. */
const detailTypes: ReadonlyMap<string, MessageType> = new Map(
  [ErrorInfoMessage, BadRequestMessage, RetryInfoMessage].map((type) => [type.name, type]),
);

/** An error as a status with its details. */
export function encodeError(error: A2AError, version: GrpcVersion, code?: number): CallStatus {
  const { status, message, details } = encodeGrpcError(error, version);
  const text = message.slice(0, maxMessageLength).toWellFormed();
  const metadata = new Metadata();
  metadata.set(trailer, encodeDetails({ status: code ?? status, text, details }));
  for (const challenge of error.details.challenges ?? []) {
    metadata.add("www-authenticate", challenge);
  }
  return { code: code ?? status, details: text, metadata };
}

/** The reasons of calls that are not proper ones. gRPC itself fixes their statuses. */
const reasons: Readonly<Partial<Record<number, ErrorCode>>> = {
  [statuses.INVALID_ARGUMENT]: "INVALID_REQUEST",
  [statuses.UNIMPLEMENTED]: "UNSUPPORTED_OPERATION",
};

/** The status for something that gRPC itself, or a service which is not A2A, has thrown. */
export function statusOf(error: unknown): CallStatus {
  const known = error instanceof StatusError || error instanceof WireFormatError;
  if (!known) return { code: statuses.INTERNAL, details: "Internal error" };
  const { message } = error;
  const code = error instanceof StatusError ? error.code : statuses.INVALID_ARGUMENT;
  const reason = reasons[code];
  if (reason === undefined) return { code, details: message };
  return encodeError(new A2AError(reason, message), "1.0", code);
}

/** The status for a call of a method that the server does not have, with its path. */
export function unknownMethod(path: string): CallStatus {
  const found = JSON.stringify(path.slice(0, 128));
  const message = `this server has no method ${found}; its services are lf.a2a.v1.A2AService and a2a.v1.A2AService`;
  return encodeError(new A2AError("METHOD_NOT_FOUND", message), "1.0");
}

function encodeDetails({
  status,
  text,
  details,
}: {
  readonly status: number;
  readonly text: string;
  readonly details: readonly JsonObject[];
}): Buffer {
  const encode = (kept: readonly JsonObject[]): Buffer =>
    StatusMessage.encode({ code: status, message: text, details: kept.flatMap(encodeAny) });
  const bytes = encode(details);
  if (bytes.length <= maxDetailsBytes) return bytes;
  const { metadata: _, ...reason } = details[0] ?? {};
  return encode([reason]);
}

function encodeAny(detail: JsonObject): readonly JsonObject[] {
  const typeUrl = detail["@type"] as string;
  const value = typeOf(typeUrl)?.encode(detail).toString("base64");
  return value === undefined ? [] : [{ typeUrl, value }];
}

/** How messages of `@grpc/grpc-js` begin for a call that was never sent, and where they give the reason. */
const unsent = /^(?:No connection established|Name resolution failed)/;
const lastError = /Last error: (?:Error: )?(.*?)\.? Resolution note:/s;

/**
 * The error that a peer has answered with, by the reason in its details if it has any. An UNAVAILABLE without
 * details comes from the connection; its cause tells whether the call was sent.
 */
export function decodeError(error: ServiceError, operation: Operation, address: string): A2AError {
  const { code: status, details: message, metadata } = error;
  const details = decodeDetails(metadata);
  const decoded = decodeGrpcError({ status, message, details }, operation);
  if (decoded.code !== "UNAVAILABLE" || details.length > 0) return decoded;
  if (!unsent.test(message)) return new A2AError(decoded.code, decoded.message, { cause: error });
  const cause = Object.assign(new Error(message), { code: "ECONNREFUSED" });
  return unreachable(address, cause, reasonOf(message));
}

function reasonOf(message: string): string {
  const reason = lastError.exec(message)?.[1] ?? message;
  const hint = reason.includes("certificate")
    ? "; give the authority that you trust: grpcTransports({ credentials: ChannelCredentials.createSsl(authority) })"
    : "";
  return `${reason}${hint}`;
}

/** Details that cannot be read count as none. */
function decodeDetails(metadata: Metadata | undefined): readonly JsonObject[] {
  const [bytes] = metadata?.get(trailer) ?? [];
  if (!(bytes instanceof Buffer)) return [];
  try {
    const { details = [] } = StatusMessage.decode(bytes) as { details?: readonly DecodedAny[] };
    return details.flatMap(decodeAny);
  } catch {
    return [];
  }
}

function typeOf(typeUrl: string): MessageType | undefined {
  return detailTypes.get(typeUrl.slice(typeUrl.lastIndexOf("/") + 1));
}

interface DecodedAny {
  readonly typeUrl?: string;
  readonly value?: string;
}

function decodeAny({ typeUrl = "", value = "" }: DecodedAny): readonly JsonObject[] {
  const type = typeOf(typeUrl);
  if (type === undefined) return [];
  const detail = type.decode(Buffer.from(value, "base64"));
  return [{ ...(detail as JsonObject), "@type": typeUrl }];
}
