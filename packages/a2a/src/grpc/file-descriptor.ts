/** A proto file, which the reflection service gives to tools. */
export interface FileDescriptor {
  readonly name: string;
  readonly dependencies: readonly string[];
  /** The full names of the messages, enums and services that it defines. */
  readonly symbols: readonly string[];
  /** A serialized google.protobuf.FileDescriptorProto. */
  readonly base64: string;
}
