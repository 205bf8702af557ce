import { Metadata, status } from "@grpc/grpc-js";
import type { Server, ServerDuplexStream } from "@grpc/grpc-js";
import type { JsonObject } from "../protocol/internal.js";
import type { FileDescriptor } from "./file-descriptor.js";
import { fileDescriptors } from "./gen/descriptors.js";
import { service } from "./gen/grpc-reflection-v1.js";
import { serviceDefinition } from "./service-definition.js";
import { WireFormatError } from "./wire-format.js";
import type { MethodType } from "./wire-format.js";

const files = new Map(fileDescriptors.map((file) => [file.name, file]));
const bySymbol = new Map(
  fileDescriptors.flatMap((file) => file.symbols.map((symbol) => [symbol, file] as const)),
);

const { request, response } = service.methods["ServerReflectionInfo"] as MethodType;

/** The earlier name of the service, with the same messages. Many tools know only this one. */
const earlierName = "grpc.reflection.v1alpha.ServerReflection";

/** The standard reflection service, so that tools can call this server without a proto file. */
export function registerReflection(server: Server, services: readonly string[]): void {
  const listed = [...services, service.name];
  for (const name of [service.name, earlierName]) {
    server.addService(serviceDefinition({ ...service, name }), {
      ServerReflectionInfo: (call: ServerDuplexStream<Buffer, Buffer>) => {
        call.on("data", (bytes: Buffer) => {
          const isRoomy = answer(call, bytes, listed);
          if (isRoomy) return;
          call.pause();
          call.once("drain", () => call.resume());
        });
        call.on("end", () => call.end());
      },
    });
  }
}

function answer(
  call: ServerDuplexStream<Buffer, Buffer>,
  bytes: Buffer,
  listed: readonly string[],
): boolean {
  try {
    const asked = request.decode(bytes) as JsonObject;
    const host = asked["host"] ?? "";
    return call.write(
      response.encode({ validHost: host, originalRequest: asked, ...lookUp(asked, listed) }),
    );
  } catch (error) {
    if (!(error instanceof WireFormatError)) throw error;
    const details = error.message;
    const metadata = new Metadata();
    call.emit("error", { code: status.INVALID_ARGUMENT, details, metadata });
    return true;
  }
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
