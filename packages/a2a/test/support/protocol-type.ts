import { createFileRegistry, fromBinary, fromJson } from "@bufbuild/protobuf";
import type { JsonValue } from "@bufbuild/protobuf";
import { FileDescriptorProtoSchema } from "@bufbuild/protobuf/wkt";
import { fileDescriptors } from "../../src/grpc/gen/descriptors.js";

const files = fileDescriptors.map(({ base64 }) =>
  fromBinary(FileDescriptorProtoSchema, Buffer.from(base64, "base64")),
);
const find = (path: string) => files.find(({ name }) => name === path);
const protocol = find("lf/a2a/v1/a2a.proto");
if (protocol === undefined) throw new Error("the file of the protocol is not described");
const registry = createFileRegistry(protocol, find);

/**
 * Reads JSON as a message of the specification's own proto file, such as `Task`, with the rules of protobuf and none of ours: throws where a
 * member has another name or another type than the file says.
 */
export function checkProtocolType(name: string, json: unknown): void {
  const type = registry.getMessage(`lf.a2a.v1.${name}`);
  if (type === undefined) throw new Error(`the protocol has no message ${name}`);
  fromJson(type, json as JsonValue);
}
