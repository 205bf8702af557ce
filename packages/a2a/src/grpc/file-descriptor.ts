/** A proto file, for tools that have none. */
export interface FileDescriptor {
  readonly name: string;
  readonly dependencies: readonly string[];
  /** The full names of all that it defines. */
  readonly symbols: readonly string[];
  /** A serialized google.protobuf.FileDescriptorProto. */
  readonly base64: string;
}
