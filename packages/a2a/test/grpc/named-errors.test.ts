import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { createGrpcTransport } from "../../src/grpc/index.js";
import type { ErrorCode } from "../../src/protocol/internal.js";
import { field } from "./raw-peer.js";

interface Refusal {
  readonly status: number;
  readonly message: string;
  /** The `google.rpc.Status` of the trailers. */
  readonly details?: Buffer;
}

/** A server that refuses every call, and what a caller of GetTask makes of it. */
async function refusedWith(refusal: Refusal, version: "0.3" | "1.0"): Promise<unknown> {
  const server = createServer();
  server.on("stream", (stream) => {
    const headers = {
      ":status": 200,
      "content-type": "application/grpc",
      "grpc-status": refusal.status,
      "grpc-message": encodeURI(refusal.message),
      ...(refusal.details && { "grpc-status-details-bin": refusal.details.toString("base64") }),
    };
    stream.respond(headers, { endStream: true });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const transport = createGrpcTransport({ address: `127.0.0.1:${port}`, version });
  onTestFinished(() => {
    transport.close();
    server.close();
  });
  return transport.getTask({ id: "t" }).catch((error: unknown) => error);
}

/** A `google.rpc.Status` with an `ErrorInfo` that has a reason, under a URL that ends with its name. */
function errorInfo(reason: string, prefix: string): Buffer {
  const info = field(1, Buffer.from(reason));
  const any = [field(1, Buffer.from(`${prefix}google.rpc.ErrorInfo`)), field(2, info)];
  return field(3, Buffer.concat(any));
}

/** How the official servers in Python and Java tell errors in 0.3: by a status and a name before the message. */
const byName: readonly (readonly [name: string, status: number, code: ErrorCode])[] = [
  ["JSONParseError", 13, "PARSE_ERROR"],
  ["InvalidRequestError", 3, "INVALID_REQUEST"],
  ["MethodNotFoundError", 5, "METHOD_NOT_FOUND"],
  ["InvalidParamsError", 3, "INVALID_PARAMS"],
  ["InternalError", 13, "INTERNAL"],
  ["TaskNotFoundError", 5, "TASK_NOT_FOUND"],
  ["TaskNotCancelableError", 12, "TASK_NOT_CANCELABLE"],
  ["PushNotificationNotSupportedError", 12, "PUSH_NOTIFICATION_NOT_SUPPORTED"],
  ["UnsupportedOperationError", 12, "UNSUPPORTED_OPERATION"],
  ["ContentTypeNotSupportedError", 12, "CONTENT_TYPE_NOT_SUPPORTED"],
  ["InvalidAgentResponseError", 13, "INVALID_AGENT_RESPONSE"],
  ["AuthenticatedExtendedCardNotConfiguredError", 5, "EXTENDED_AGENT_CARD_NOT_CONFIGURED"],
  ["ExtendedAgentCardNotConfiguredError", 9, "EXTENDED_AGENT_CARD_NOT_CONFIGURED"],
  ["ExtensionSupportRequiredError", 9, "EXTENSION_SUPPORT_REQUIRED"],
  ["VersionNotSupportedError", 9, "VERSION_NOT_SUPPORTED"],
];

const versions = ["0.3", "1.0"] as const;

test.each(versions.flatMap((version) => byName.map((one) => [version, ...one] as const)))(
  "in %s the name %s of an error with status %i is read from its message as %s",
  async (version, name, status, code) => {
    const error = await refusedWith({ status, message: `${name}: what is wrong` }, version);
    expect(error).toMatchObject({ code, message: "what is wrong" });
  },
);

test.each(versions)(
  "in %s another word before a colon is a part of the message",
  async (version) => {
    const message = "ValueError: no such thing";
    expect(await refusedWith({ status: 12, message }, version)).toMatchObject({
      code: "UNSUPPORTED_OPERATION",
      message,
    });
  },
);

test.each(
  versions.flatMap((version) => ["type.googleapis.com/", "/", ""].map((one) => [version, one])),
)(
  "in %s the reason in the details says what an error is, whatever its status is and under %j",
  async (version, prefix) => {
    const refusal = {
      status: 9,
      message: "UnsupportedOperationError: no",
      details: errorInfo("EXTENSION_SUPPORT_REQUIRED", prefix ?? ""),
    };
    expect(await refusedWith(refusal, version as "0.3" | "1.0")).toMatchObject({
      code: "EXTENSION_SUPPORT_REQUIRED",
    });
  },
);
