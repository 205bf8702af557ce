import { status } from "@grpc/grpc-js";
import type { JsonObject } from "../protocol/internal.js";
import { statusOf } from "./error-map.js";
import type { FileDescriptor } from "./file-descriptor.js";
import { fileDescriptors } from "./gen/descriptors.js";
import { service } from "./gen/grpc-reflection-v1.js";
import { earlyBytes } from "./http2/message-reader.js";
import type { Method } from "./http2/open-http2-server.js";
import type { CallStatus, ServerCall } from "./http2/server-call.js";
import type { MethodType } from "./wire-format.js";

const files = new Map(fileDescriptors.map((file) => [file.name, file]));
const bySymbol = new Map(
  fileDescriptors.flatMap((file) => file.symbols.map((symbol) => [symbol, file] as const)),
);

const { request, response } = service.methods["ServerReflectionInfo"] as MethodType;

/** The earlier name of the service, with the same messages. Many tools know only this one. */
const earlierName = "grpc.reflection.v1alpha.ServerReflection";

/**
 * The standard reflection service, so that tools can call this server without a proto file. Whoever may not call the
 * server's agents is refused.
 */
export function reflectionMethods(
  services: readonly string[],
  refusalOf: (call: ServerCall) => Promise<CallStatus | undefined>,
): readonly (readonly [path: string, Method])[] {
  const listed = [...services, service.name];
  const method: Method = (call) => {
    refusalOf(call)
      .then((refusal) => (refusal === undefined ? reflect(call, listed) : call.end(refusal)))
      .catch((error: unknown) => call.end(statusOf(error)));
  };
  return [service.name, earlierName].map((name) => [`/${name}/ServerReflectionInfo`, method]);
}

/** Answers one question after the other. */
async function reflect(call: ServerCall, listed: readonly string[]): Promise<void> {
  for (;;) {
    const answer = await call.read(earlyBytes, (bytes) => answerTo(bytes, listed));
    if (answer === undefined) return call.end();
    if (!call.write(answer)) await call.untilDrained();
  }
}

function answerTo(bytes: Buffer, listed: readonly string[]): Buffer {
  const asked = request.decode(bytes) as JsonObject;
  const host = asked["host"] ?? "";
  return response.frame({ validHost: host, originalRequest: asked, ...lookUp(asked, listed) });
}

function lookUp(asked: JsonObject, listed: readonly string[]): JsonObject {
  const { fileByFilename, fileContainingSymbol, allExtensionNumbersOfType } = asked;
  if (asked["listServices"] !== undefined) {
    return { listServicesResponse: { service: listed.map((name) => ({ name })) } };
  }
  if (typeof fileByFilename === "string") return describe(files.get(fileByFilename));
  if (typeof fileContainingSymbol === "string") return describe(bySymbol.get(fileContainingSymbol));
  if (typeof allExtensionNumbersOfType === "string" && bySymbol.has(allExtensionNumbersOfType)) {
    return { allExtensionNumbersResponse: { baseTypeName: allExtensionNumbersOfType } };
  }
  return describe(undefined);
}

/** A file and everything it imports, itself first. */
function describe(file: FileDescriptor | undefined): JsonObject {
  if (file === undefined) {
    return {
      errorResponse: {
        errorCode: status.NOT_FOUND,
        errorMessage: "this server has no such file or symbol",
      },
    };
  }
  const all = new Set([file]);
  for (const one of all) {
    for (const name of one.dependencies) {
      const dependency = files.get(name);
      if (dependency !== undefined) all.add(dependency);
    }
  }
  return {
    fileDescriptorResponse: { fileDescriptorProto: Array.from(all, ({ base64 }) => base64) },
  };
}
